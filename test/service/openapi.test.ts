// The OpenAPI document is valid, complete, and matches the service; a client made from it works.
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {Validator} from '@seriousme/openapi-schema-validator';
import {Ajv2020} from 'ajv/dist/2020.js';
import {expect, test} from 'vitest';
import type {AssistantModels} from '../../src/service/assistant/models/assistant-models.ts';
import {createRoutes} from '../../src/service/http/routes.ts';
import {jupyterMissing, jupyterServer} from '../support/jupyter-server.ts';
import {readyService, settings, type LocalService} from '../support/local-service.ts';

type Content = Readonly<Record<string, unknown>>;
type Operation = {
	readonly operationId: string;
	readonly security?: readonly unknown[];
	readonly parameters?: readonly {readonly name: string; readonly in: 'path' | 'header'}[];
	readonly requestBody?: object;
	readonly responses: Readonly<Record<string, {readonly content?: Content}>>;
};
type OpenApi = {readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>};

const FILE = join(import.meta.dirname, '../../src/service/http/openapi.json');
const TEXT = readFileSync(FILE, 'utf8');
const DOCUMENT = JSON.parse(TEXT) as OpenApi;

const pointer = (...steps: readonly string[]): string =>
	steps.map(step => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

type Asked = {
	readonly params?: Readonly<Record<string, string>>;
	readonly headers?: Record<string, string>;
	readonly body?: unknown;
};

/**
 * A client that calls operations of the document, and checks requests and responses against its
 * schemas.
 */
const clientOf = (document: OpenApi, base: string, key: string) => {
	const ajv = new Ajv2020({strict: false});
	ajv.addSchema({...document, $id: 'openapi'});
	const reached = new Set<string>();
	const check = (steps: readonly string[], value: unknown): void => {
		const validate = ajv.compile({$ref: `openapi#${encodeURI(pointer(...steps))}`});
		expect(validate(value) || validate.errors, steps.join(' ')).toBe(true);
	};
	const methodOf =
		(path: string, method: string, {operationId, security, requestBody, responses}: Operation) =>
		async ({params = {}, headers = {}, body}: Asked = {}) => {
			const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
				(params[name] ?? '').split('/').map(encodeURIComponent).join('/'),
			);
			if (requestBody)
				check(['paths', path, method, 'requestBody', 'content', 'application/json', 'schema'], body);
			const response = await fetch(base + filled, {
				method: method.toUpperCase(),
				headers: {
					...headers,
					...(security?.length !== 0 && {apiKey: key}),
					...(requestBody && {'content-type': 'application/json'}),
				},
				...(requestBody && {body: JSON.stringify(body)}),
			});
			const text = await response.text();
			const type = response.headers.get('content-type')?.split(';')[0] ?? '';
			const value: unknown = type === 'application/json' ? JSON.parse(text) : text;
			reached.add(operationId);
			const known = responses[String(response.status)];
			if (known)
				check(
					['paths', path, method, 'responses', String(response.status), 'content', type, 'schema'],
					value,
				);
			else check(['components', 'responses', 'Failure', 'content', 'application/json', 'schema'], value);
			return {status: response.status, headers: response.headers, value: value as Content, text};
		};
	const calls = Object.fromEntries(
		Object.entries(document.paths).flatMap(([path, methods]) =>
			Object.entries(methods).map(([method, operation]) => [
				operation.operationId,
				methodOf(path, method, operation),
			]),
		),
	);
	const call = (id: string, asked?: Asked) => {
		const found = calls[id];
		if (!found) throw new Error(`the document has no ${id}`);
		return found(asked);
	};
	return {call, reached, ids: Object.keys(calls)};
};

const ask = (local: LocalService, headers: Record<string, string> = {}, method = 'GET') =>
	fetch(`${local.service.url}/openapi.json`, {method, headers});

test('the document is valid OpenAPI 3.1', async () => {
	const validator = new Validator();
	expect(await validator.validate(JSON.parse(TEXT) as Record<string, unknown>)).toEqual({valid: true});
	expect(validator.version).toBe('3.1');
});

test('each route with an answer for clients is in the document', () => {
	const backend = {engine: 'pyodide', catalogue: {environments: []}} as never;
	const routes = createRoutes(backend, {reach: 'machine', models: (): AssistantModels => new Map()} as never);
	/**
	 * Paths that the document omits: pages for a browser, and calls for the service that the
	 * program starts itself.
	 */
	const others =
		/^\/(?:user|editor|forward|thumb)\/|^\/local\/(?:(?:lease|kept|stop|project)$|hosts|environments)/;
	const served = routes
		.filter(({path, method}) => !others.test(path) && method !== 'HEAD')
		.map(({path, method}) => `${method} ${path}`);
	const documented = Object.entries(DOCUMENT.paths).flatMap(([path, methods]) =>
		Object.keys(methods).map(method => `${method.toUpperCase()} ${path}`),
	);
	expect(served.toSorted()).toEqual(documented.toSorted());
});

test('the service hands the document to clients without a key, and says if it has not changed', async () => {
	await using local = await readyService();
	const response = await ask(local);
	expect(await response.text()).toBe(TEXT);
	const etag = response.headers.get('etag') ?? '';
	expect(etag).toMatch(/^"[0-9a-f]{64}"$/);
	expect(response.headers.get('cache-control')).toBe('no-cache');
	const head = await ask(local, {}, 'HEAD');
	expect([
		head.status,
		await head.text(),
		head.headers.get('etag'),
		head.headers.get('content-length'),
	]).toEqual([200, '', etag, String(Buffer.byteLength(TEXT))]);
	for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
		const unchanged = await ask(local, {'if-none-match': known});
		expect([known, unchanged.status, await unchanged.text()]).toEqual([known, 304, '']);
	}
	expect((await ask(local, {'if-none-match': '"other"'})).status).toBe(200);
	expect((await ask(local, {}, 'POST')).status).toBe(405);
	expect((await ask(local, {origin: 'https://elsewhere.example.com'})).status).toBe(403);
});

test('a client made of the document reaches every operation, and each answer fits its schema', async () => {
	await using local = await readyService({leased: true, leases: {first: 600_000}});
	const {call, reached, ids} = clientOf(DOCUMENT, local.service.url, local.key);
	const server_name = 'welcome';
	const ok = {status: 200};
	const {environment, server_request, port} = settings;

	expect(
		await call('createServer', {body: {server_name: 'lab', environment, server_request, port}}),
	).toMatchObject({status: 202});
	expect(await call('startServer', {params: {server_name: 'nowhere'}, body: settings})).toMatchObject({
		status: 404,
	});
	const servers = (await call('listServers')).value['servers'] as readonly Content[];
	expect(servers.map(({name}) => name)).toEqual(['welcome', 'lab']);
	for (const id of [
		'listCompute',
		'listEnvironments',
		'listModelNames',
		'getKeyPage',
		'getHealth',
		'getReadiness',
	])
		expect(await call(id), id).toMatchObject(ok);
	expect((await call('getOpenApi')).value).toEqual(DOCUMENT);

	expect(await call('setLimits', {body: {server_name, idle_stop: '90m', max_run: 'off'}})).toMatchObject(ok);
	expect((await call('getLimits')).value['servers']).toContainEqual({
		...{name: 'welcome', idle_stop: '90m', max_run: null},
		stops_at: expect.any(String) as string,
	});

	const file = {params: {server_name, path: 'notes/größe 1.txt'}};
	const put = await call('putFile', {...file, body: {content: 'abc', format: 'text', type: 'file'}});
	expect(put).toMatchObject(ok);
	const got = await call('getFile', file);
	expect(got).toMatchObject({...ok, value: {content: {content: 'abc'}}});
	expect(got.headers.get('etag')).toBe(put.headers.get('etag'));
	const changed = {
		...file,
		body: {content: 'b', format: 'text', type: 'file'},
		headers: {'If-Match': '"other"'},
	};
	expect(await call('putFile', changed)).toMatchObject({status: 412});
	expect(await call('getFile', {params: {server_name, path: 'notes'}})).toMatchObject(ok);

	const ran = await call('runCode', {
		params: {server_name},
		body: {code: 'x = 42\nprint x', kernel_name: 'python3'},
	});
	expect(ran).toMatchObject({...ok, value: {content: {outputs: [{output_type: 'stream', text: '42\n'}]}}});
	const messages = [{role: 'user', content: 'What is len?'}];
	const answer = await call('chat', {params: {server_name, model: 'model_2'}, body: {messages}});
	expect(answer.text).toMatch(/^f:.*\n0:"[^]*\nd:/);

	if (jupyterMissing) {
		const body = {address: 'http://127.0.0.1:1/?token=t'};
		expect((await call('attachServer', {body})).status).toBeGreaterThanOrEqual(400);
		expect(await call('detachServer', {body: {server_name: 'other'}})).toMatchObject({status: 404});
	} else {
		await using jupyter = await jupyterServer();
		const body = {address: `${jupyter.url}?token=${jupyter.token}`, name: 'other'};
		expect(await call('attachServer', {body})).toMatchObject({...ok, value: {server_name: 'other'}});
		expect(await call('detachServer', {body: {server_name: 'other'}})).toMatchObject(ok);
	}
	expect([...reached].toSorted()).toEqual(ids.toSorted());
});
