import {expect} from 'vitest';
import type {Live, LiveCell} from '../../src/api/client-types.ts';
import {cuttingProxy, type CuttingProxy} from './cutting-proxy.ts';
import {localService, settings, type LocalService} from './local-service.ts';
import {connect} from './peer.ts';
import {waitFor} from './wait-for.ts';

/** What a cell printed. */
export const textOf = (cell: LiveCell, name = 'stdout'): string =>
	cell
		.now()
		.outputs.filter(output => output.output_type === 'stream' && output['name'] === name)
		.map(output => String(output['text']))
		.join('');
export const runNow = async (live: Live, code: string): Promise<LiveCell> => {
	const cell = await live.run(code, 'python3', () => {});
	if (cell === null) throw new Error('there is no kernel');
	return cell;
};

type Cut = AsyncDisposable & {
	readonly local: LocalService;
	readonly proxy: CuttingProxy;
	readonly live: Live;
};
/** A link that goes through a proxy. */
export const linked = async (engine: 'pyodide' | 'jupyter' = 'jupyter'): Promise<Cut> => {
	const local = await localService({openEngine: undefined, engine});
	await local.call('POST', '/api/servers/welcome/start', settings);
	await waitFor(async () => expect(await local.state('welcome')).toBe('ready'), {interval: 50});
	const {body} = await local.call('GET', '/api/servers');
	const [{url, token} = {}] = body['servers'] as readonly {url?: string; token?: string}[];
	const address = new URL(url ?? '');
	const proxy = await cuttingProxy(Number(address.port));
	address.port = String(proxy.port);
	const found = await connect(local.service.url).live({url: address.href, token: token ?? null}, new Set());
	if (!('live' in found)) throw new Error(JSON.stringify(found));
	return {
		local,
		proxy,
		live: found.live,
		async [Symbol.asyncDispose]() {
			found.live.close();
			await proxy[Symbol.asyncDispose]();
			await local[Symbol.asyncDispose]();
		},
	};
};
