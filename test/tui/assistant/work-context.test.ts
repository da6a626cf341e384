import {expect, test} from 'vitest';
import {conversationOf} from '../../../src/tui/assistant/conversation.ts';
import {workingText} from '../../../src/tui/assistant/view.tsx';
import type {Store} from '../../../src/tui/core/program.ts';
import {httpPeer} from '../../support/peer.ts';
import {storeOn} from '../../support/store-on.ts';
import {waitFor} from '../../support/wait-for.ts';
import {tasks} from '../../../src/tui/assistant/tasks.ts';
import {attaching} from '../../../src/tui/assistant/attached.ts';
import {questionContext} from '../../../src/tui/assistant/context.ts';

const SERVER = 's';
const WAITS = 'looks for AGENTS.md on the server first';

/** A service that sends a server's notes for assistants when the test decides. */
const hesitating = async () => {
	const {promise: isLet, resolve: letIt} = Promise.withResolvers<void>();
	const peer = await httpPeer((response, {url = ''}) => {
		const content = url.endsWith('AGENTS.md')
			? {name: 'AGENTS.md', path: 'AGENTS.md', type: 'file', format: 'text', content: 'Use polars.\n'}
			: {
					name: '',
					path: '',
					type: 'directory',
					content: [{name: 'AGENTS.md', path: 'AGENTS.md', type: 'file'}],
				};
		void isLet.then(() =>
			response
				.writeHead(200, {'content-type': 'application/json'})
				.end(JSON.stringify({status: 'success', content})),
		);
	});
	return {peer, letIt};
};
const workOn = (store: Store): string | null => {
	const work = store.getState().works.get(SERVER);
	return work ? workingText(work) : null;
};
const draftOn = (store: Store): string => conversationOf(store.getState(), SERVER).draft.text;
const open = (url: string): Store => {
	const store = storeOn(url);
	store.setState({current: SERVER, screen: 'assistant'});
	return store;
};

test("a task waits for the server's notes for assistants, which are shown before anything is sent", async () => {
	const {peer, letIt} = await hesitating();
	await using _ = peer;
	const store = open(peer.url);
	tasks(store.getState).beginWork(SERVER, 'look around');
	expect([workOn(store), conversationOf(store.getState(), SERVER).turns]).toEqual([WAITS, []]);
	expect(tasks(store.getState).beginWork(SERVER, 'another')).toMatch(/^A task is about to start/);
	letIt();
	await waitFor(() =>
		expect(store.getState().dialogs.at(-1)).toMatchObject({kind: 'context', goal: 'look around'}),
	);
	expect(draftOn(store)).toBe('/work look around');
});

test('the wait can be stopped, and the task is in the field again', async () => {
	const {peer, letIt} = await hesitating();
	await using _ = peer;
	const store = open(peer.url);
	tasks(store.getState).beginWork(SERVER, 'look around');
	expect(attaching(store.getState).stopAnswer(SERVER)).toBe(true);
	await waitFor(() => expect(draftOn(store)).toBe('/work look around'));
	expect(workOn(store)).toBe(null);
	letIt();
	await questionContext(store.getState).findContext(SERVER);
	expect([store.getState().dialogs, conversationOf(store.getState(), SERVER).turns]).toEqual([[], []]);
});

test('a user who has moved elsewhere is not asked there', async () => {
	const {peer, letIt} = await hesitating();
	await using _ = peer;
	const store = open(peer.url);
	tasks(store.getState).beginWork(SERVER, 'look around');
	store.setState({screen: 'files'});
	letIt();
	await waitFor(() => expect(draftOn(store)).toBe('/work look around'));
	expect(store.getState().dialogs).toEqual([]);
});
