import {expect} from 'vitest';
import type {Live, LiveCell} from '../../src/api/client-types.ts';
import {cuttingProxy, type CuttingProxy} from './cutting-proxy.ts';
import {jupyterServer} from './jupyter-server.ts';
import {localService, settings, type LocalService} from './local-service.ts';
import {connect} from './peer.ts';
import {REPL} from './sessions.ts';
import {waitFor} from './wait-for.ts';

export const textOf = (cell: LiveCell, name = 'stdout'): string =>
	cell
		.now()
		.outputs.filter(output => output.output_type === 'stream' && output['name'] === name)
		.map(output => String(output['text']))
		.join('');
export const runNow = async (live: Live, code: string): Promise<LiveCell> => {
	const cell = await live.run(code, REPL, () => {});
	if (cell === null) throw new Error('there is no kernel');
	return cell;
};

export type Cut = AsyncDisposable & {readonly proxy: CuttingProxy; readonly live: Live};
/** Opens a live link through a proxy to the server at this address. */
export const linkedTo = async (service: string, url: string, token: string): Promise<Cut> => {
	const address = new URL(url);
	const proxy = await cuttingProxy(Number(address.port));
	address.port = String(proxy.port);
	const found = await connect(service).live({url: address.href, token}, new Set());
	if (!('live' in found)) throw new Error(JSON.stringify(found));
	return {
		proxy,
		live: found.live,
		async [Symbol.asyncDispose]() {
			found.live.close();
			await proxy[Symbol.asyncDispose]();
		},
	};
};
/** Opens a live link through a proxy to a server of our own service. */
export const linked = async (
	engine: 'pyodide' | 'jupyter' = 'jupyter',
): Promise<Cut & {readonly local: LocalService}> => {
	const local = await localService({openEngine: undefined, engine});
	await local.call('POST', '/api/servers/welcome/start', settings);
	await waitFor(async () => expect(await local.state('welcome')).toBe('ready'), {interval: 50});
	const {body} = await local.call('GET', '/api/servers');
	const [{url, token} = {}] = body['servers'] as readonly {url?: string; token?: string}[];
	const cut = await linkedTo(local.service.url, url ?? '', token ?? '');
	return {
		...cut,
		local,
		async [Symbol.asyncDispose]() {
			await cut[Symbol.asyncDispose]();
			await local[Symbol.asyncDispose]();
		},
	};
};
/** Opens a live link through a proxy to a Jupyter Server that does not belong to a service. */
export const linkedForeign = async (): Promise<Cut> => {
	const server = await jupyterServer();
	const cut = await linkedTo(server.url, server.url, server.token);
	return {
		...cut,
		async [Symbol.asyncDispose]() {
			await cut[Symbol.asyncDispose]();
			await server[Symbol.asyncDispose]();
		},
	};
};
