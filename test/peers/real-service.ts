import {readFileSync} from 'node:fs';
import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {expect} from 'vitest';
import {createClient} from '../../src/api/client.ts';
import type {Client} from '../../src/api/client-types.ts';
import {startBenchService} from '../bench/bench-service.ts';
import {processesUsing} from '../support/processes.ts';
import {newHome} from '../support/program.ts';
import {waitFor} from '../support/wait-for.ts';

export type RealService = AsyncDisposable & {
	readonly url: string;
	readonly apiKey: string;
	/** Our own client, which has the service's key. */
	readonly client: Client;
	/** Size of each answer of the assistant in bytes, from the service's log. */
	readonly answerSizes: () => readonly number[];
	/** Ids of the processes that the service has started. */
	readonly children: () => Promise<ReadonlySet<number>>;
};

const settings = {environment: 'ai', port: 8888, server_request: 'svc-medium'};

/**
 * Starts `serve` of the built program in a separate home, with `welcome` ready. `models`: settings
 * of the assistant's slots.
 */
export const realService = async ({
	models,
}: {readonly models?: Readonly<Record<string, unknown>>} = {}): Promise<RealService> => {
	await using starting = new AsyncDisposableStack();
	const home = starting.use(await newHome());
	if (models) {
		const settingsFolder = join(home.env['XDG_CONFIG_HOME'] ?? '', 'svc-tui');
		await mkdir(settingsFolder, {recursive: true, mode: 0o700});
		await writeFile(join(settingsFolder, 'models.json'), JSON.stringify(models));
	}
	const service = starting.use(await startBenchService(home));
	const apiKey = (await readFile(service.keyFile, 'utf8')).trim();
	const log = join(dirname(service.keyFile), 'service.log');
	await service.call('POST', '/servers/welcome/start', settings);
	const client = createClient({baseUrl: service.url, apiKey});
	const welcome = await waitFor(
		async () => {
			const {servers} = await service.call('GET', '/servers');
			const [found] = servers as readonly Readonly<Record<string, unknown>>[];
			expect(found?.['status']).not.toBe('starting');
			return found;
		},
		{interval: 50},
	);
	// If the engine cannot start, the failed check prints the reason.
	expect(welcome).toMatchObject({name: 'welcome', status: 'ready'});
	const owned = starting.move();
	return {
		url: service.url,
		apiKey,
		client,
		answerSizes: () =>
			[...readFileSync(log, 'utf8').matchAll(/POST \/api\/assistant\S+ 200 \d+ms (\d+)b/g)].map(([, size]) =>
				Number(size),
			),
		children: async () =>
			new Set((await processesUsing(home.folder)).map(({pid}) => pid).filter(pid => pid !== service.pid)),
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
};
