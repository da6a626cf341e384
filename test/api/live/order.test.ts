import fc from 'fast-check';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {createMessageOrder} from '../../../src/api/live/message-order.ts';
import {parseMessage, type KernelMessage} from '../../../src/kernel/messages.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const message = (number: number, type = 'stream', content = {}, parent = 'ours'): KernelMessage => {
	const read = parseMessage(
		JSON.stringify({
			header: {msg_id: `session_42_${number}`, msg_type: type, session: 's'},
			parent_header: {msg_id: parent, msg_type: 'execute_request', session: 's'},
			content,
		}),
	);
	if (read === null) throw new Error('no message');
	return read;
};
const ordered = (isBroken: boolean) => {
	const passed: number[] = [];
	const order = createMessageOrder(
		() => isBroken,
		parent => parent === 'ours',
		({msg_id: id}) => passed.push(Number(id.split('_').at(-1))),
	);
	return {passed, see: (...rest: Parameters<typeof message>) => order.take(message(...rest), 10)};
};

test('duplicated and late messages after a cut are passed on once and in order', () => {
	fc.assert(
		fc.property(
			fc.shuffledSubarray(
				Array.from({length: 30}, (_, index) => index + 1),
				{minLength: 30},
			),
			fc.array(fc.integer({min: 1, max: 30})),
			(numbers, doubled) => {
				const {passed, see} = ordered(true);
				see(0);
				for (const number of [...numbers, ...doubled]) see(number);
				expect(passed).toEqual(Array.from({length: 31}, (_, index) => index));
			},
		),
	);
});

test('a missing message is awaited for a while, and passed on if it arrives after all', () => {
	const {passed, see} = ordered(true);
	for (const number of [10, 11, 13, 14, 17]) see(number);
	expect(passed).toEqual([10, 11]);
	vi.runAllTimers();
	expect(passed).toEqual([10, 11, 13, 14, 17]);
	for (const number of [12, 12, 14, 9, 9, 18]) see(number);
	expect(passed).toEqual([10, 11, 13, 14, 17, 12, 9, 18]);
});

test('nothing waits where nothing broke, and for the answers to others', () => {
	const whole = ordered(false);
	for (const number of [5, 8, 6, 8, 9]) whole.see(number);
	expect(whole.passed).toEqual([5, 8, 6, 9]);
	const {passed, see} = ordered(true);
	see(5);
	see(6, 'status', {execution_state: 'busy'}, 'other');
	see(8, 'status', {execution_state: 'idle'}, 'other');
	see(9);
	expect(passed).toEqual([5, 6, 8, 9]);
});

test('messages without a number, and of a child of the kernel, pass', () => {
	const {passed, see} = ordered(true);
	see(5);
	const order: string[] = [];
	const {take} = createMessageOrder(
		() => true,
		() => true,
		({msg_id: id}) => order.push(id),
	);
	for (const id of ['s_1_7', 'plain', 's_2_6', 's_1_8', 's_1_8']) take({...message(0), msg_id: id}, 10);
	expect(order).toEqual(['s_1_7', 'plain', 's_2_6', 's_1_8']);
	expect(passed).toEqual([5]);
});
