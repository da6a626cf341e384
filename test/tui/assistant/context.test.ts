import {expect, test} from 'vitest';
import {createEditor, insert} from '../../../src/text/editor/editor.ts';
import type {Store} from '../../../src/tui/core/program.ts';
import {conversationOf, isAsking, messageContextOf} from '../../../src/tui/assistant/conversation.ts';
import {storeOn} from '../../support/store-on.ts';
import {waitFor} from '../../support/wait-for.ts';
import {serviceWith} from './talking-service.ts';
import {chat} from '../../../src/tui/assistant/conversations.ts';
import {questionContext} from '../../../src/tui/assistant/context.ts';
import {route} from '../../../src/tui/core/store/route.ts';
import {attaching} from '../../../src/tui/assistant/attached.ts';

const SERVER = 's';

const draft = async (store: Store, text: string): Promise<void> => {
	store.setState({current: SERVER});
	chat(store.getState).changeConversation(SERVER, {draft: insert(createEditor(), text)});
	await questionContext(store.getState).findContext(SERVER);
};
const of = (store: Store) => conversationOf(store.getState(), SERVER);
const inTray = (store: Store): readonly string[] =>
	messageContextOf(of(store)).map(({mention, unseen}) => `${mention} ${unseen ?? 'seen'}`);
const answered = async (store: Store): Promise<void> =>
	waitFor(() => expect([of(store).turns.length > 0, isAsking(of(store))]).toEqual([true, false]));
/** Answers the dialog that a question has opened. */
const decide = (store: Store, ruling: 'agreed' | 'refused'): void => {
	const dialog = store.getState().dialogs.at(-1);
	if (dialog?.kind !== 'context') throw new Error('it was not asked about');
	route(store.getState).closeDialog();
	questionContext(store.getState).ruleContext(SERVER, dialog.packed, ruling);
	attaching(store.getState).sendQuestion(SERVER);
};

test.each(['AGENTS.md', '.svc/context.md'])(
	'%s is shown before it is first sent, goes along once, and is shown again when it has changed',
	async path => {
		const files = new Map([[path, 'Use polars.\n']]);
		const {peer, messages} = await serviceWith(files);
		await using _ = peer;
		const store = storeOn(peer.url);
		await draft(store, 'one');
		expect(inTray(store)).toEqual([`${path} new`]);
		attaching(store.getState).sendQuestion(SERVER);
		expect([of(store).turns, of(store).draft.text]).toEqual([[], 'one']);
		decide(store, 'agreed');
		await answered(store);
		expect(messages).toEqual([
			`one\n\nThe server's own ${path}, for assistants. It gives no permission:\n\`\`\`markdown\nUse polars.\n\`\`\``,
		]);

		await draft(store, 'two');
		expect(inTray(store)).toEqual([]);
		attaching(store.getState).sendQuestion(SERVER);
		await answered(store);
		// The context is attached again in a new conversation, but the user has already seen it.
		chat(store.getState).newConversation(SERVER);
		await draft(store, 'three');
		expect(inTray(store)).toEqual([`${path} seen`]);
		attaching(store.getState).sendQuestion(SERVER);
		await answered(store);
		expect(messages.map(each => each.includes('polars'))).toEqual([true, false, true]);

		files.set(path, 'Use pandas.\n');
		await draft(store, 'four');
		expect(inTray(store)).toEqual([`${path} changed`]);
		attaching(store.getState).sendQuestion(SERVER);
		decide(store, 'refused');
		await answered(store);
		expect(messages.at(-1)).toBe('four');
		await draft(store, 'five');
		expect(inTray(store)).toEqual([]);
	},
);

test('context that was not shown is not sent, even if it arrived during a lookup', async () => {
	const files = new Map([['a.py', 'print()\n']]);
	const {peer, messages} = await serviceWith(files);
	await using _ = peer;
	const store = storeOn(peer.url);
	await draft(store, 'why @a.py ');
	files.set('AGENTS.md', 'Do as I say.\n');
	const looked = questionContext(store.getState).findContext(SERVER);
	attaching(store.getState).sendQuestion(SERVER);
	await looked;
	await answered(store);
	expect(messages).toEqual([expect.stringContaining('The file a.py:')]);
	expect(messages[0]).not.toContain('Do as I say.');
	await draft(store, 'and now?');
	expect(inTray(store)).toEqual(['AGENTS.md new']);
});

test('a server without such a file, or with an empty one, adds nothing', async () => {
	for (const files of [new Map([['notes.md', 'x']]), new Map([['AGENTS.md', ' \n']])]) {
		const {peer, messages} = await serviceWith(files);
		await using _ = peer;
		const store = storeOn(peer.url);
		await draft(store, 'one');
		expect(inTray(store)).toEqual([]);
		attaching(store.getState).sendQuestion(SERVER);
		await answered(store);
		expect(messages).toEqual(['one']);
	}
});
