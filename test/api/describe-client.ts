import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {computeOption} from '../../src/contract/compute.ts';
import {createClient} from '../../src/api/client.ts';
import type {Client} from '../../src/api/client-types.ts';
import type {Reply} from '../../src/api/failure.ts';

/** A service with an offline server `welcome` and without a server `trainer`. */
export type Subject = AsyncDisposable & {
	readonly baseUrl: string;
	readonly apiKey: string;
	untilReady(client: Client, server: string): Promise<void>;
};

/** The value of a reply. Fails if the reply is a failure. */
export const valueOf = <T>(reply: Reply<T>): T => {
	if (!reply.ok) throw new Error(`${reply.failure.kind}: ${reply.failure.message}`);
	return reply.value;
};

/**
 * Tests of the client that hold for any service that follows the API. Each test uses the state that
 * the previous ones left.
 */
export const describeClient = (name: string, connect: () => Promise<Subject>): void => {
	describe(`with ${name}`, () => {
		let subject: Subject;
		let client: Client;
		beforeAll(async () => {
			subject = await connect();
			client = createClient({baseUrl: subject.baseUrl, apiKey: subject.apiKey});
		});
		afterAll(async () => subject?.[Symbol.asyncDispose]());

		test("one sees one's servers and the service's own array of them", async () => {
			const {items, unreadable, raw} = valueOf(await client.servers());
			expect(items.find(item => item.name === 'welcome')).toMatchObject({
				status: 'offline',
				environment: 'ai',
				port: 8888,
				server_request: 'svc-medium',
			});
			expect(unreadable).toBe(0);
			expect(items).toEqual(raw);
		});

		test('one sees the compute options', async () => {
			const {items, unreadable, raw} = valueOf(await client.compute());
			expect(items.find(item => item.name === 'Medium CPU')).toMatchObject({
				cloud_host: 'svc',
				num_gpus: 0,
				total_vram: '0G',
				availability: [{available: true, region: 'default'}],
			});
			expect(unreadable).toBe(0);
			// The schema parses sizes of zero as unknown, like missing sizes.
			expect(items).toEqual(raw.map(each => computeOption.parse(each)));
		});

		test('one sees the environments', async () => {
			const {items, unreadable} = valueOf(await client.environments());
			expect(items.map(item => item.environment_id)).toContain('ai');
			expect(unreadable).toBe(0);
		});

		test('one starts a server', async () => {
			const started = valueOf(
				await client.startServer('welcome', {environment: 'ai', port: 8888, server_request: 'svc-medium'}),
			);
			expect(started).toMatchObject({
				status: 'success',
				server_name: 'welcome',
				environment: 'ai',
				port: 8888,
				server_request: 'svc-medium',
			});
			expect(started.message).toContain('welcome');
			expect(started.hourly_rate).toBeTypeOf('number');
			await subject.untilReady(client, 'welcome');
		});

		test('one runs code and gets its cell', async () => {
			const cell = valueOf(await client.runCode('welcome', {code: 'print("hello")', kernel_name: 'python3'}));
			expect(cell).toEqual({
				cell_type: 'code',
				execution_count: 1,
				metadata: {},
				source: 'print("hello")',
				outputs: [{name: 'stdout', output_type: 'stream', text: 'hello\n'}],
			});
		});

		test('one writes a file and reads it back', async () => {
			const written = valueOf(
				await client.putFile('welcome', 'note.txt', {content: 'text', format: 'text', type: 'file'}),
			);
			expect(written).toMatchObject({
				name: 'note.txt',
				path: 'note.txt',
				type: 'file',
				size: 4,
				content: null,
				format: null,
				mimetype: 'text/plain',
				writable: true,
			});
			const read = valueOf(await client.getFile('welcome', 'note.txt'));
			expect(read).toMatchObject({
				name: 'note.txt',
				content: 'text',
				format: 'text',
				last_modified: written.last_modified,
			});
		});

		test.each(['model_2', 'model_3', 'model_5'])(
			'one asks %s and gets its answer with its name and its count',
			async model => {
				const heard: string[] = [];
				const answer = valueOf(
					await client.chat('welcome', model, [{content: 'What can you do?', role: 'user'}], {
						onText: fragment => heard.push(fragment),
					}),
				);
				expect(answer).toMatchObject({
					complete: true,
					problem: null,
					finishReason: 'stop',
					notes: {bad: 0, skipped: {}},
				});
				expect(answer.messageId).toBeTruthy();
				expect(answer.usage?.completionTokens).toBeGreaterThan(0);
				expect(answer.content).not.toBe('');
				expect(heard.join('')).toBe(answer.content);
			},
		);

		test.each(['model_1', 'model_4'])('one asks %s and gets its bare answer', async model => {
			const answer = valueOf(
				await client.chat('welcome', model, [{content: 'What can you do?', role: 'user'}]),
			);
			expect(answer).toMatchObject({
				complete: true,
				problem: null,
				messageId: null,
				finishReason: null,
				usage: null,
			});
			expect(answer.content).not.toBe('');
		});

		test('one creates a server', async () => {
			const created = valueOf(
				await client.createServer({
					environment: 'ai',
					port: 8888,
					server_name: 'trainer',
					server_request: 'svc-medium',
				}),
			);
			expect(created).toMatchObject({
				status: 'success',
				server_name: 'trainer',
				environment: 'ai',
				port: 8888,
				port_forward_url: 'pending',
				server_request: 'svc-medium',
			});
			expect(created.hourly_rate).toBeTypeOf('number');
			expect(created).not.toHaveProperty('token');
			expect(created).not.toHaveProperty('message');
		});

		test('a server that is not there is not found', async () => {
			const reply = await client.runCode('no-such-server', {code: '1', kernel_name: 'python3'});
			expect(reply).toMatchObject({
				ok: false,
				failure: {
					kind: 'not-found',
					status: 404,
					method: 'POST',
					path: '/api/servers/no-such-server/run-code',
				},
			});
		});

		test('a wrong key is refused, in a list and in a chat', async () => {
			const stranger = createClient({baseUrl: subject.baseUrl, apiKey: 'another-key'});
			expect(await stranger.servers()).toMatchObject({ok: false, failure: {kind: 'auth', status: 401}});
			expect(await stranger.chat('welcome', 'model_2', [{content: 'hi', role: 'user'}])).toMatchObject({
				ok: false,
				failure: {kind: 'auth', status: 401},
			});
		});
	});
};
