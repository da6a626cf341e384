import {expect, test} from 'vitest';
import {createReplayBuffer, type Line} from '../../src/service/jupyter-emulator/replay-buffer.ts';
import type {Outgoing} from '../../src/service/jupyter-emulator/wire.ts';

const message = (type: string, content: object, parent = 'cell'): Outgoing => ({
	channel: 'iopub',
	id: 'id',
	type,
	header: '{}',
	parent: JSON.stringify({msg_id: parent}),
	content: JSON.stringify(content),
});
const line = (): Line & {readonly got: string[]; isFull: boolean; isStuck: boolean; isClosed: boolean} => ({
	form: 'text',
	got: [],
	isFull: false,
	isStuck: false,
	isClosed: false,
	waiting() {
		return this.isFull ? Infinity : 0;
	},
	send(data, onSent) {
		if (this.isStuck) return;
		this.got.push(JSON.parse(String(data)).content.text ?? JSON.parse(String(data)).msg_type);
		onSent();
	},
	close() {
		this.isClosed = true;
	},
});
const mailbox = () =>
	createReplayBuffer(({parent}, count) => ({...message('stream', {text: `${count} left out`}), parent}));

test('messages without a connected client wait, in order, and are delivered once', () => {
	const box = mailbox();
	const first = line();
	box.open(first);
	box.push(message('stream', {text: '1'}));
	expect(box.leave(first)).toBe(true);
	box.push(message('stream', {text: '2'}));
	box.push(message('status', {}));
	const second = line();
	box.open(second);
	box.push(message('stream', {text: '3'}));
	expect([first.got, second.got]).toEqual([['1'], ['2', 'status', '3']]);
});

test('messages given to a connection and unsent when it breaks are delivered to the next', () => {
	const box = mailbox();
	const broken = line();
	broken.isStuck = true;
	box.open(broken);
	box.push(message('stream', {text: '1'}));
	box.push(message('stream', {text: '2'}));
	box.leave(broken);
	const next = line();
	box.open(next);
	expect([broken.got, next.got]).toEqual([[], ['1', '2']]);
});

test('an older connection of the session is closed, and its end does not close the newer one', () => {
	const box = mailbox();
	const [old, newer] = [line(), line()];
	box.open(old);
	box.open(newer);
	expect([old.isClosed, box.leave(old), box.isOpen()]).toEqual([true, false, true]);
});

test('surplus output is left out with a notice, states and replies are not', () => {
	const box = mailbox();
	const text = 'x'.repeat(1 << 20);
	for (let count = 0; count < 20; count++) box.push(message('stream', {text}));
	box.push(message('status', {}));
	const late = line();
	box.open(late);
	expect(late.got.map(each => (each === text ? 'x' : each))).toEqual([
		...Array.from({length: 7}, () => 'x'),
		'13 left out',
		'status',
	]);
});

test('a connection that reads nothing holds no more than a closed one', () => {
	const box = mailbox();
	const slow = line();
	slow.isFull = true;
	box.open(slow);
	for (let count = 0; count < 20; count++) box.push(message('stream', {text: 'x'.repeat(1 << 20)}));
	expect(slow.got).toEqual([]);
	slow.isFull = false;
	box.push(message('status', {}));
	expect(slow.got.slice(-2)).toEqual(['13 left out', 'status']);
});

test('a client that reports the number of received messages gets the later ones, including sent and lost ones', () => {
	const box = mailbox();
	const texts: string[] = [];
	const lossy: Line = {
		...line(),
		waiting: () => 0,
		send: data => void texts.push(JSON.parse(String(data)).content.text),
	};
	box.open(lossy, 0);
	for (const text of ['1', '2', '3']) box.push(message('stream', {text}));
	expect(texts).toEqual(['1', '2', '3']);
	box.leave(lossy);
	box.push(message('stream', {text: '4'}));
	const next = line();
	box.open(next, 1);
	expect(next.got).toEqual(['2', '3', '4']);
	box.leave(next);
	const after = line();
	box.open(after, 4);
	box.push(message('stream', {text: '5'}));
	expect(after.got).toEqual(['5']);
});

test('a connection attempt that arrives late, with an old number, loses nothing', () => {
	const box = mailbox();
	box.open(line(), 0);
	for (const text of ['1', '2', '3']) box.push(message('stream', {text}));
	const late = line();
	late.isStuck = true;
	box.open(late, 1);
	for (const text of ['4', '5']) box.push(message('stream', {text}));
	box.leave(late);
	const next = line();
	box.open(next, 3);
	expect(next.got).toEqual(['4', '5']);
});

test('notices about omitted output are limited too, for any number of cells', {tags: 'long'}, () => {
	const box = mailbox();
	for (let cell = 0; cell < 100; cell++)
		box.push(message('execute_reply', {text: 'x'.repeat(1 << 20)}, `${cell}`));
	// Requests may have a long header, which each message of the reply repeats.
	for (let cell = 0; cell < 800; cell++)
		box.push(message('execute_reply', {text: 'y'.repeat(1 << 20)}, `${cell} ${'z'.repeat(50_000)}`));
	const back = line();
	box.open(back);
	expect(back.got.length).toBeLessThan(500);
	expect(back.got.filter(text => text.endsWith('left out')).length).toBeGreaterThan(1);
});
