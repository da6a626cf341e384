import {expect, test} from 'vitest';
import {createStore} from '../../../src/tui/app.ts';

const newStore = () =>
	createStore({
		client: () => new Promise(() => {}),
		copy() {},
		open: async () => false,
		edit: () => Promise.reject(new Error('no editor')),
		now: Date.now,
	} as unknown as Parameters<typeof createStore>[0]).getState();

test('a call that has only just begun can be cancelled, alone and with all that run', () => {
	const {watchCall, requestsNow, cancelRequest, cancelRequests} = newStore();
	const cancelled: string[] = [];
	const begin = (path: string) => watchCall({method: 'GET', path, cancel: () => cancelled.push(path)});
	begin('/api/servers');
	begin('/api/compute')({status: 200});
	begin('/api/environments');
	const [first, second] = requestsNow();
	expect(cancelRequest(first?.id ?? 0)).toBeUndefined();
	expect(cancelRequest(second?.id ?? 0)).toBe('That call has ended');
	expect(cancelled).toEqual(['/api/servers']);
	cancelRequests();
	expect(cancelled).toEqual(['/api/servers', '/api/servers', '/api/environments']);
});
