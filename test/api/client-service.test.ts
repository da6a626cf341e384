import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect} from 'vitest';
import {startService} from '../../src/service/serve.ts';
import {describeClient, valueOf, type Subject} from './describe-client.ts';

const connect = async (): Promise<Subject> => {
	const dataFolder = await mkdtemp(join(tmpdir(), 'svc-client-'));
	const apiKey = 'key-of-this-test';
	const service = await startService({port: 0, dataFolder, apiKey, engine: 'pyodide', leased: false});
	return {
		baseUrl: service.url,
		apiKey,
		async untilReady(client, server) {
			await expect
				.poll(async () => valueOf(await client.servers()).items.find(item => item.name === server)?.status)
				.toBe('ready');
		},
		async [Symbol.asyncDispose]() {
			await service.close();
			await rm(dataFolder, {recursive: true, force: true});
		},
	};
};

describeClient('the local service', connect);
