import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect} from 'vitest';
import {startService, type Service, type ServiceOptions} from '../../src/service/serve.ts';
import {keyFile} from '../../src/settings/instance.ts';
import {tempFolder} from './temp-folder.ts';
import {createTinyEngine} from './tiny-engine.ts';
import {waitFor} from './wait-for.ts';

export type Answer = {
	readonly status: number;
	readonly body: Record<string, unknown>;
	readonly headers: Headers;
	readonly text: string;
};
export type CallOptions = {
	readonly key?: string;
	readonly signal?: AbortSignal;
	readonly headers?: Record<string, string>;
};

export type LocalService = AsyncDisposable & {
	readonly service: Service;
	readonly folder: string;
	readonly key: string;
	call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Answer>;
	state(name: string): Promise<unknown>;
	until(name: string, state: string): Promise<void>;
};

export const settings = {environment: 'ai', port: 8888, server_request: 'svc-medium'};

const parse = (text: string): Record<string, unknown> => {
	try {
		return JSON.parse(text) as Record<string, unknown>;
	} catch {
		return {};
	}
};

/**
 * Starts the real service on a free port with a separate folder. Its requests are sent over HTTP
 * with its key.
 */
export const localService = async (options: Partial<ServiceOptions> = {}): Promise<LocalService> => {
	const temp = options.dataFolder === undefined ? tempFolder() : undefined;
	const folder = options.dataFolder ?? join(temp?.path ?? '', 'data');
	const service = await startService({
		port: 0,
		leased: false,
		dataFolder: folder,
		openEngine: async () => createTinyEngine(),
		...options,
	});
	const key = options.apiKey ?? (options.keysFile === undefined ? readFileSync(keyFile(folder), 'utf8') : '');
	const call: LocalService['call'] = async (
		method,
		path,
		body,
		{key: asked = key, signal, headers = {}} = {},
	) => {
		const response = await fetch(service.url + path, {
			method,
			headers: {
				apiKey: asked,
				...(body === undefined ? {} : {'content-type': 'application/json'}),
				...headers,
			},
			...(body === undefined ? {} : {body: JSON.stringify(body)}),
			...(signal ? {signal} : {}),
		});
		const text = await response.text();
		return {status: response.status, headers: response.headers, text, body: parse(text)};
	};
	const state = async (name: string): Promise<unknown> => {
		const {body} = await call('GET', '/api/servers');
		return (body['servers'] as Array<Record<string, unknown>>).find(server => server['name'] === name)?.[
			'status'
		];
	};
	return {
		service,
		folder,
		key,
		call,
		state,
		async until(name, wanted) {
			await waitFor(async () => expect(await state(name)).toBe(wanted));
		},
		async [Symbol.asyncDispose]() {
			await service.close();
			temp?.[Symbol.dispose]();
		},
	};
};

/** The local service with `welcome` started and ready. */
export const readyService = async (options: Partial<ServiceOptions> = {}): Promise<LocalService> => {
	const local = await localService(options);
	await local.call('POST', '/api/servers/welcome/start', settings);
	await local.until('welcome', 'ready');
	return local;
};
