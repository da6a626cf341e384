import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import {expect, test} from 'vitest';
import {createStore} from '../../../src/tui/create-store.ts';
import {requestLog, type RequestLog} from '../../../src/tui/core/store/requests.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
/**
 * The target of a weak reference stays in memory until the end of the task in which the reference
 * was created or read.
 */
const nextTask = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

const newStore = (copied: string[] = []) =>
	createStore({
		client: async () => ({baseUrl: 'http://service'}),
		copy: async (text: string) => {
			copied.push(text);
			return {isInClipboard: true, isInTmux: false, isAsked: false};
		},
		open: async () => false,
		edit: () => Promise.reject(new Error('no editor')),
		now: Date.now,
	} as unknown as Parameters<typeof createStore>[0]).getState;

test('a request that has just started can be cancelled, alone and with all running ones', () => {
	const cancelled: string[] = [];
	const log = requestLog(newStore());
	const begin = (path: string) => log.watchCall({method: 'GET', path, cancel: () => cancelled.push(path)});
	begin('/api/servers');
	begin('/api/compute')({status: 200});
	begin('/api/environments');
	const [first, second] = log.requestsNow();
	expect(log.cancelRequest(first?.id ?? 0)).toBeUndefined();
	expect(log.cancelRequest(second?.id ?? 0)).toBe('This request has already finished');
	expect(cancelled).toEqual(['/api/servers']);
	log.cancelRequests();
	expect(cancelled).toEqual(['/api/servers', '/api/servers', '/api/environments']);
});

test('an ended request releases its cancel function', async () => {
	const begin = (): readonly [WeakRef<() => void>, ReturnType<RequestLog['watchCall']>] => {
		const cancel = (): void => {};
		return [
			new WeakRef(cancel),
			requestLog(newStore()).watchCall({method: 'GET', path: '/api/servers', cancel}),
		];
	};
	const [held, end] = begin();
	await nextTask();
	collect();
	expect(held.deref()).toBeDefined();
	end({status: 200});
	await nextTask();
	collect();
	expect(held.deref()).toBeUndefined();
});

test('a question of megabytes is not kept for its copy, a short one is', async () => {
	const copied: string[] = [];
	const {watchCall, copyRequest, requestsNow} = requestLog(newStore(copied));
	for (const content of ['short', 'long'.repeat(20_000)])
		watchCall({method: 'POST', path: '/api/run', body: {content}, cancel() {}})({status: 200});
	for (const {id} of requestsNow()) await copyRequest(id);
	expect(copied[0]).toContain('{"content":"short"}');
	expect(copied[1]).not.toContain('long');
});
