import {expect, test} from 'vitest';
import {createEditor, insert} from '../../../src/text/editor/editor.ts';
import {SUMMARY_REQUEST} from '../../../src/text/summary-request.ts';
import {conversationOf, isAsking, messagesOf} from '../../../src/tui/assistant/conversation.ts';
import {carriedText, nextMessageText} from '../../../src/tui/assistant/message-context-lines.ts';
import {answeringText, workingText} from '../../../src/tui/assistant/view.tsx';
import type {Store} from '../../../src/tui/core/program.ts';
import {turn} from '../../support/factories.ts';
import {storeOn} from '../../support/store-on.ts';
import {waitFor} from '../../support/wait-for.ts';
import {serviceWith} from './talking-service.ts';
import {chat} from '../../../src/tui/assistant/conversations.ts';
import {attaching} from '../../../src/tui/assistant/attached.ts';

const SERVER = 's';
const of = (store: Store) => conversationOf(store.getState(), SERVER);
const type = (store: Store, text: string): void =>
	chat(store.getState).changeConversation(SERVER, {draft: insert(createEditor(), text)});
const answered = async (store: Store): Promise<void> =>
	waitFor(() => expect([of(store).turns.length > 0, isAsking(of(store))]).toEqual([true, false]));
const ask = async (store: Store, text: string): Promise<void> => {
	type(store, text);
	expect(attaching(store.getState).sendQuestion(SERVER)).toBeUndefined();
	await answered(store);
};
const fold = (store: Store): string | void => chat(store.getState).foldTurns(SERVER);

test('turns are folded into a summary that is sent in their place, can be edited, and undone', async () => {
	const {peer, messages, counts} = await serviceWith(new Map(), asked =>
		asked === SUMMARY_REQUEST ? 'The goal is 42.' : 'Yes.',
	);
	await using _ = peer;
	const store = storeOn(peer.url);
	expect(fold(store)).toBe('There is nothing to summarise yet');
	await ask(store, 'one');
	await ask(store, 'two');
	expect(carriedText(of(store))).toBe('2 turns · 3,021 tokens carried');
	expect(fold(store)).toBeUndefined();
	expect(fold(store)).toMatch(/^An answer is in progress/);
	await answered(store);
	expect([messages.at(-1), counts.at(-1)]).toEqual([SUMMARY_REQUEST, 5]);
	expect(carriedText(of(store))).toMatch(/^1 turn · /);

	expect(chat(store.getState).editQuestion(SERVER)).toBeUndefined();
	expect(of(store).draft.text).toBe('The goal is 42.');
	type(store, 'The goal is 43.');
	expect(attaching(store.getState).sendQuestion(SERVER)).toBeUndefined();
	expect([of(store).draft.text, messages.length]).toEqual(['', 3]);

	await ask(store, 'three');
	expect(counts.at(-1)).toBe(3);
	expect(messagesOf(of(store).turns).map(({role, content}) => [role, content])).toEqual([
		['user', SUMMARY_REQUEST],
		['assistant', 'The goal is 43.'],
		['user', 'three'],
		['assistant', 'Yes.'],
	]);
	// A second summary includes the first one.
	fold(store);
	await answered(store);
	expect(counts.at(-1)).toBe(5);
	expect(fold(store)).toBe('The earlier turns are sent again');
	await ask(store, 'four');
	expect(counts.at(-1)).toBe(5);
});

test('a stopped or failed summary folds nothing; the summarised turns are sent without the middle of long texts', () => {
	const long = turn({id: 1, question: 'x'.repeat(20_000), answer: 'Yes.', state: 'done'});
	const lost = turn({id: 2, question: 'lost', state: 'failed'});
	for (const state of ['stopped', 'failed', 'cut', 'incomplete'] as const) {
		const summary = turn({id: 3, question: '/compact', answer: 'part', state});
		const sent = messagesOf([long, lost, summary, turn({id: 4, question: 'next'})]);
		expect(sent.map(({content}) => content.length)).toEqual([20_000, 4, 4, SUMMARY_REQUEST.length, 4, 4]);
	}
	const asked = messagesOf([long, lost, turn({id: 3, question: '/compact'})]);
	expect(asked.map(({content}) => content)).toEqual([
		expect.stringMatching(/^x{4000}\n… 12,000 characters left out …\nx{4000}$/),
		'Yes.',
		SUMMARY_REQUEST,
	]);
});

test('the meter shows the total size of the next message', async () => {
	const {peer} = await serviceWith(new Map([['a.py', 'x = 1\n'.repeat(500)]]));
	await using _ = peer;
	const store = storeOn(peer.url);
	store.setState({current: SERVER});
	expect(nextMessageText(of(store))).toBe('');
	type(store, 'why?');
	expect(nextMessageText(of(store))).toBe('');
	type(store, 'why @a.py ?');
	await attaching(store.getState).findMentioned(SERVER);
	expect(nextMessageText(of(store))).toBe('next message 3.0 K');
	attaching(store.getState).sendQuestion(SERVER);
	await answered(store);
	type(store, 'and?');
	expect(carriedText(of(store))).toBe('1 turn · 3,021 tokens carried');
	expect(nextMessageText(of(store))).toBe('next message 3.0 K');
	type(store, '/compact');
	expect(nextMessageText(of(store))).toBe('');
});

test('until the first word of an answer the seconds are shown', () => {
	const asked = {askedAt: 1000, firstTextAt: null, reasoning: ''};
	expect(answeringText(asked, 1999)).toBe('answering');
	expect(answeringText(asked, 13_900)).toBe('answering · nothing yet, 12 s');
	expect(answeringText({...asked, reasoning: 'hm'}, 13_900)).toBe('answering · thinking, 12 s');
	expect(answeringText({...asked, firstTextAt: 1500}, 13_900)).toBe('answering');
	// The system clock was set back.
	expect(answeringText(asked, 0)).toBe('answering');
});

test('for a running task the pane shows what it waits for, never that nothing has arrived', () => {
	const work = {looks: false, waits: null, asks: false, isStopping: false};
	expect(workingText(work)).toBe('working');
	expect(workingText({...work, looks: true})).toBe('looks for AGENTS.md on the server first');
	expect(workingText({...work, isStopping: true})).toBe('stopping');
	expect(workingText({...work, asks: true})).toBe('waits for your answer');
	const waits = {
		title: 'run 1 line',
		kind: 'run',
		isPrivate: false,
		folder: null,
		note: '',
		rows: [],
	} as const;
	expect(workingText({...work, waits})).toBe('waits for your permission');
});
