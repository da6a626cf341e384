import {expect, test} from 'vitest';
import {createClient} from '../../../../src/api/client.ts';
import type {Store} from '../../../../src/tui/core/program.ts';
import {createStore} from '../../../../src/tui/create-store.ts';
import {httpPeer, type Peer} from '../../../support/peer.ts';
import {server} from '../../../support/factories.ts';
import {serverList} from '../../../../src/tui/servers/servers.ts';
import {kernelChoice} from '../../../../src/tui/cells/kernels/choose-kernel.ts';

/** A service with one server, whose environment lists these kernels. */
const serviceWith = (fields: object): Promise<Peer> =>
	httpPeer((response, request) => {
		const body = request.url?.endsWith('/environments')
			? {environments: [{environment_id: 'ai', name: 'AI', description: '', ...fields}]}
			: {servers: [server({name: 's', environment: 'ai'})]};
		response
			.writeHead(200, {'content-type': 'application/json'})
			.end(JSON.stringify({status: 'success', ...body}));
	});

const choose = async (peer: Peer, kernel: string): Promise<Store> => {
	const store = createStore({
		client: async () => createClient({baseUrl: peer.url, apiKey: 'key'}),
		now: Date.now,
		copy: async () => ({isInClipboard: false, isInTmux: false, isAsked: true}),
		show: async () => false,
		edit: async () => Promise.reject(new Error('no editor')),
		open: async () => false,
	});
	await serverList(store.getState).refreshServers();
	await kernelChoice(store.getState).chooseKernel('s', kernel);
	return store;
};
const said = (store: Store): string | undefined => store.getState().notices.at(-1)?.text;

test('a kernel that the service does not have is refused with the names of the existing ones', async () => {
	await using peer = await serviceWith({kernels: ['python3', 'second']});
	const store = await choose(peer, 'ir');
	expect([said(store), store.getState().repls.get('s')?.kernel]).toEqual([
		's has no kernel ir; it has python3, second',
		undefined,
	]);
	const other = await choose(peer, 'second');
	expect([said(other), other.getState().repls.get('s')?.kernel]).toEqual([
		'The next cells of s run in second',
		'second',
	]);
});

test('if the service does not list its kernels, any may be tried, with a notice', async () => {
	await using peer = await serviceWith({});
	const store = await choose(peer, 'ir');
	expect([said(store), store.getState().repls.get('s')?.kernel]).toEqual([
		'The next cells of s run in ir, if it exists: this service does not list its kernels',
		'ir',
	]);
});
