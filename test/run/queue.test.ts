import {expect, test} from 'vitest';
import {createQueue} from '../../src/run/queue.ts';
import {turns} from './callers.ts';

/** A queue whose cells end when the test says so. False: the cell failed. */
const openQueue = () => {
	const began: string[] = [];
	const dropped: string[] = [];
	const ends = new Map<string, (isDone: boolean) => void>();
	const queue = createQueue<string>(
		async key => {
			began.push(key);
			return new Promise<boolean>(resolve => ends.set(key, resolve));
		},
		key => void dropped.push(key),
	);
	const end = async (key: string, isDone = true): Promise<void> => {
		ends.get(key)?.(isDone);
		await turns();
	};
	return {queue, began, dropped, end};
};

test('a cell starts as soon as the previous one has ended', async () => {
	const {queue, began, end} = openQueue();
	queue.add(['a', 'b']);
	queue.add(['c']);
	expect(began).toEqual(['a']);
	await end('a');
	expect(began).toEqual(['a', 'b']);
	await end('b', false);
	expect(began).toEqual(['a', 'b', 'c']);
	await end('c');
	expect(queue.isIdle()).toBe(true);
});

test('no cell of a batch runs after a failed one; cells outside the batch do', async () => {
	const {queue, began, dropped, end} = openQueue();
	queue.add(['a', 'b'], 'one');
	queue.add(['alone']);
	queue.add(['c', 'd'], 'two');
	queue.add(['e'], 'one');
	await end('a', false);
	expect(dropped).toEqual(['b', 'e']);
	for (const key of ['alone', 'c', 'd']) await end(key);
	expect(began).toEqual(['a', 'alone', 'c', 'd']);
});

test('a waiting cell can be removed, a running one cannot', async () => {
	const {queue, began, dropped, end} = openQueue();
	queue.add(['a', 'b', 'c', 'd']);
	expect([queue.drop('a'), queue.drop('b'), queue.drop('b')]).toEqual([false, true, false]);
	expect(queue.clear()).toEqual(['c', 'd']);
	await end('a');
	expect([began, dropped, queue.isIdle()]).toEqual([['a'], [], true]);
});

test('a released cell runs beside the next, without the rest of its batch', async () => {
	const {queue, began, dropped, end} = openQueue();
	queue.add(['a', 'b'], 'one');
	queue.add(['c', 'd']);
	queue.release('a');
	expect([began, dropped]).toEqual([['a', 'c'], ['b']]);
	// The end of this cell starts no other beside the awaited one.
	await end('a', false);
	expect(began).toEqual(['a', 'c']);
	await end('c');
	expect(began).toEqual(['a', 'c', 'd']);
});

test('a waiting cell waits for an earlier one, and while the queue is held', async () => {
	const {queue, began} = openQueue();
	const before = Promise.withResolvers<void>();
	queue.waitFor('before', before.promise);
	const goOn = [queue.hold(), queue.hold()];
	queue.add(['a']);
	goOn[0]?.();
	goOn[0]?.();
	before.resolve();
	await turns();
	expect([began, queue.isIdle()]).toEqual([[], false]);
	goOn[1]?.();
	expect(began).toEqual(['a']);
});
