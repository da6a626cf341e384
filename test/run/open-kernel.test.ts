// The route that the code of a document takes, and the events that are reported.
import {afterEach, expect, test, vi} from 'vitest';
import type {RunEvent} from '../../src/run/event.ts';
import {openKernel, type Document} from '../../src/run/open-kernel.ts';
import {createWorld, turns, type World, type WorldOptions} from './callers.ts';

const SCRIPT = {kind: 'command', kernel: 'python3'} as const;
const REPL = {kind: 'repl', kernel: 'python3'} as const;

const open = (document: Document, options?: WorldOptions) => {
	const world: World = createWorld(options);
	const {live, client, isLocal} = world;
	const kernel = openKernel({live: async () => live, client: async () => client, isLocal}, 's', document);
	return {...world, kernel};
};

/** Short form of an event, in one or two words. */
const told = (event: RunEvent): string => {
	switch (event.type) {
		case 'sent':
			return `sent over the ${event.way}`;
		case 'output':
			return event.isLate ? 'late output' : 'output';
		case 'asks':
			return event.question === null ? 'asks no more' : `asks ${event.question.prompt}`;
		case 'unheard':
		case 'began':
		case 'handed-over':
			return event.type;
	}
};

afterEach(() => {
	vi.useRealTimers();
});

test('the events of a cell arrive in order, late outputs too', async () => {
	const {kernel, sent} = open(REPL);
	const events: string[] = [];
	const run = kernel.run('input()', {}, event => void events.push(told(event)));
	await turns();
	sent[0]?.ask({prompt: 'name?', isSecret: false});
	run.answer('typed');
	sent[0]?.print('out');
	sent[0]?.end({kind: 'done'});
	expect(await run.ended).toMatchObject({how: 'done', result: {outputs: [{text: 'out'}]}});
	sent[0]?.print('late');
	expect(events).toEqual([
		'sent over the link',
		'output',
		'asks name?',
		'output',
		'asks no more',
		'late output',
	]);
	expect(run.now()?.outputs).toHaveLength(2);
});

test('a silent kernel is reported, and an open question is closed', async () => {
	const {kernel, sent, ways} = open(REPL);
	const events: string[] = [];
	const run = kernel.run('x', {}, event => void events.push(told(event)));
	await turns();
	sent[0]?.ask({prompt: 'name?', isSecret: false});
	sent[0]?.end({kind: 'unsent', isSilent: true});
	expect((await run.ended).how).toBe('done');
	expect(events.slice(2)).toEqual(['asks name?', 'asks no more', 'unheard', 'sent over the service']);
	expect(ways).toEqual(['link', 'service']);
});

test('cells of a script go to no kernel without the names of those before them', async () => {
	const {kernel, sent, ways} = open(SCRIPT);
	const first = kernel.run('x = 1');
	await turns();
	sent[0]?.end({kind: 'done'});
	await first.ended;
	const second = kernel.run('x + 1');
	await turns();
	sent[1]?.end({kind: 'unsent', isNew: true});
	expect([await second.ended, ways]).toEqual([{how: 'not-run', why: 'kernel-ended'}, ['link', 'link']]);
	// The state of the kernel is unknown after a stop.
	const stop = new AbortController();
	const third = kernel.run('x + 2', {signal: stop.signal});
	stop.abort();
	expect((await third.ended).how).toBe('interrupted');
	const fourth = kernel.run('x + 3');
	await turns();
	sent[2]?.end({kind: 'unsent'});
	expect([await fourth.ended, ways]).toEqual([
		{how: 'not-run', why: 'kernel-ended'},
		['link', 'link', 'link'],
	]);
});

test('a script whose first cell went through the service continues there', async () => {
	const {kernel, sent, ways} = open(SCRIPT);
	const first = kernel.run('x = 1');
	await turns();
	sent[0]?.end({kind: 'unsent'});
	await first.ended;
	await kernel.run('x + 1').ended;
	expect(ways).toEqual(['link', 'service', 'service']);
});

test('code that is interrupted before it is sent is not sent, and a second interrupt reaches code that swallowed one', async () => {
	const {kernel, sent, ways} = open(REPL);
	const never = kernel.run('a');
	never.interrupt();
	expect([(await never.ended).how, ways]).toEqual(['interrupted', []]);
	const run = kernel.run('b');
	await turns();
	sent[0]?.print('out');
	run.interrupt();
	run.interrupt();
	expect(sent[0]?.interrupts).toBe(2);
	sent[0]?.raise('KeyboardInterrupt');
	sent[0]?.end({kind: 'done'});
	expect((await run.ended).how).toBe('interrupted');
});

test("another client's interrupt is an error of the code", async () => {
	const {kernel, sent} = open(REPL);
	const run = kernel.run('a');
	await turns();
	sent[0]?.raise('KeyboardInterrupt');
	sent[0]?.end({kind: 'done'});
	expect((await run.ended).how).toBe('raised');
});

test('a signal waits for the end of the code only briefly, an interrupt as long as it takes', async () => {
	vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
	const {kernel, sent} = open(REPL);
	const stop = new AbortController();
	const left = kernel.run('a', {signal: stop.signal});
	const interrupted = kernel.run('b');
	await turns();
	sent[0]?.print('so far');
	stop.abort();
	interrupted.interrupt();
	vi.advanceTimersByTime(800);
	expect(await left.ended).toMatchObject({how: 'gave-up', result: {outputs: [{text: 'so far'}]}});
	let isOver = false;
	void interrupted.ended.then(() => (isOver = true));
	vi.advanceTimersByTime(3_600_000);
	await turns();
	expect(isOver).toBe(false);
});

test("code aborted by another client's error runs again; a queue repeats its cells itself", async () => {
	const {kernel, sent, ways} = open(REPL);
	const aborted = {kind: 'not-run', why: 'aborted'} as const;
	const run = kernel.run('a');
	await turns();
	sent[0]?.end(aborted);
	await turns();
	sent[1]?.end({kind: 'done'});
	expect([(await run.ended).how, ways]).toEqual(['done', ['link', 'link']]);
	const queued = kernel.run('b', {follows: false});
	await turns();
	sent[2]?.end(aborted);
	expect(await queued.ended).toEqual({how: 'not-run', why: 'aborted'});
	// Code with `follows` runs in the kernel of the code before it, or not at all.
	const behind = kernel.run('c', {follows: true});
	await turns();
	sent[3]?.end({kind: 'unsent', isNew: true});
	expect([await behind.ended, ways]).toEqual([
		{how: 'not-run', why: 'unsent'},
		['link', 'link', 'link', 'link'],
	]);
});
