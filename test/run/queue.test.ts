import {expect, test} from 'vitest';
import {createQueue, type Outcome} from '../../src/run/queue.ts';
import {turns} from './callers.ts';

/** A queue in which the test decides when cells are sent and when they end. */
const openQueue = (most?: number) => {
	const began: string[] = [];
	const followed: string[] = [];
	const dropped: string[] = [];
	const hands = new Map<string, (isHandedOver: boolean) => void>();
	const ends = new Map<string, (outcome: Outcome) => void>();
	const queue = createQueue<string>(
		(key, {follows}) => {
			began.push(key);
			if (follows) followed.push(key);
			const handed = Promise.withResolvers<boolean>();
			const ended = Promise.withResolvers<Outcome>();
			hands.set(key, handed.resolve);
			ends.set(key, outcome => {
				handed.resolve(false);
				ended.resolve(outcome);
			});
			return {handedOver: handed.promise, ended: ended.promise};
		},
		key => void dropped.push(key),
		most,
	);
	return {
		queue,
		began,
		followed,
		dropped,
		async hand(...keys: readonly string[]): Promise<void> {
			for (const key of keys) {
				hands.get(key)?.(true);
				await turns();
			}
		},
		async end(key: string, outcome: Outcome = 'done'): Promise<void> {
			ends.get(key)?.(outcome);
			await turns();
		},
	};
};

test('a cell starts as soon as the previous one has ended', async () => {
	const {queue, began, hand, end} = openQueue();
	queue.add(['a', 'b']);
	queue.add(['c']);
	await hand('a');
	expect(began).toEqual(['a']);
	await end('a');
	expect(began).toEqual(['a', 'b']);
	await end('b', 'failed');
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
	await end('a', 'failed');
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
	// When this cell ends, no further cell starts beside the awaited one.
	await end('a', 'failed');
	expect(began).toEqual(['a', 'c']);
	await end('c');
	expect(began).toEqual(['a', 'c', 'd']);
});

test('a waiting cell waits for an earlier one, and while the queue is held', async () => {
	const {queue, began} = openQueue();
	const before = Promise.withResolvers<Outcome>();
	queue.waitFor('before', before.promise);
	const goOn = [queue.hold(), queue.hold()];
	queue.add(['a']);
	goOn[0]?.();
	goOn[0]?.();
	before.resolve('done');
	await turns();
	expect([began, queue.isIdle()]).toEqual([[], false]);
	goOn[1]?.();
	expect(began).toEqual(['a']);
});

test('a kernel gets as many cells as the window has, each once it has the one before', async () => {
	const {queue, began, followed, hand, end} = openQueue(3);
	queue.add(['a', 'b', 'c', 'd', 'e']);
	expect(began).toEqual(['a']);
	await hand('a');
	expect(began).toEqual(['a', 'b']);
	await hand('b', 'c');
	expect(began).toEqual(['a', 'b', 'c']);
	await end('a');
	expect(began).toEqual(['a', 'b', 'c', 'd']);
	expect(followed).toEqual(['b', 'c', 'd']);
	// A kernel without cells may have ended, so the next cell is sent alone, like a first one.
	await hand('d');
	for (const key of ['b', 'c', 'd']) await end(key);
	await end('e');
	expect([followed, queue.isIdle()]).toEqual([['b', 'c', 'd', 'e'], true]);
});

test('a cell that goes another way than to the kernel holds the others back', async () => {
	const {queue, began, end} = openQueue(3);
	queue.add(['a', 'b']);
	await turns();
	expect(began).toEqual(['a']);
	await end('a');
	expect(began).toEqual(['a', 'b']);
});

test('a failed cell drops what the kernel aborts behind it, and later cells run', async () => {
	const {queue, began, dropped, hand, end} = openQueue(3);
	queue.add(['a', 'b', 'c', 'd'], 'book');
	await hand('a', 'b', 'c');
	await end('a', 'failed');
	expect([dropped, queue.isDropped('b'), queue.isDropped('c')]).toEqual([['d'], true, true]);
	queue.add(['e'], 'book');
	expect(began).toEqual(['a', 'b', 'c', 'e']);
	await end('b', 'aborted');
	await end('c', 'aborted');
	expect([dropped, queue.isDropped('e')]).toEqual([['d', 'b', 'c'], false]);
	await end('e');
	expect(queue.isIdle()).toBe(true);
});

test("cells aborted by another client's error run again in their order", async () => {
	const {queue, began, followed, dropped, hand, end} = openQueue(3);
	queue.add(['a', 'b', 'c', 'd'], 'book');
	await hand('a', 'b', 'c');
	await end('a', 'aborted');
	// Cell a waits until the kernel has no other cells, which could run before it.
	expect(began).toEqual(['a', 'b', 'c']);
	await end('b', 'aborted');
	await end('c', 'unsent');
	expect(began.slice(3)).toEqual(['a']);
	await hand('a', 'b', 'c');
	expect([began.slice(3), followed, dropped]).toEqual([['a', 'b', 'c'], ['b', 'c', 'b', 'c'], []]);
	await end('a');
	expect(began.at(-1)).toBe('d');
});

test('on leaving, waiting cells are handed over; those behind another route are not', async () => {
	const {queue, began, hand} = openQueue();
	queue.add(['a', 'b', 'c']);
	await hand('a');
	let left: readonly string[] | undefined;
	void queue.handOver().then(keys => {
		left = keys;
	});
	await hand('b');
	expect([began, left]).toEqual([['a', 'b', 'c'], undefined]);
	await hand('c');
	expect(left).toEqual([]);

	const other = openQueue();
	other.queue.add(['a', 'b']);
	const unsent = other.queue.handOver();
	await other.end('a', 'unsent');
	expect(other.began).toEqual(['a', 'a']);
	other.queue.add(['c']);
	await other.end('a');
	await other.hand('b', 'c');
	expect([await unsent, other.began]).toEqual([[], ['a', 'a', 'b', 'c']]);

	const head = Promise.withResolvers<Outcome>();
	const queued = createQueue<string>(
		() => ({handedOver: Promise.resolve(false), ended: head.promise}),
		() => {},
	);
	queued.add(['a', 'b']);
	expect(await queued.handOver()).toEqual(['b']);
});
