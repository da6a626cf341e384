import {expect, test} from 'vitest';
import {createClient} from '../../src/api/client.ts';
import {answer} from '../support/transcripts/assistant.ts';
import type {Exchange} from '../support/transcripts/exchange.ts';
import {transcripts} from '../support/transcripts/index.ts';
import {startStubService} from '../support/stub-service.ts';
import {describeClient, valueOf} from './describe-client.ts';

describeClient('a service that knows the API and nothing else', async () => ({
	...(await startStubService()),
	untilReady: async () => {},
}));

const jsonOf = (section: string): unknown => {
	const found: Exchange | undefined = transcripts.find(exchange => exchange.section === section);
	if (!found || !('json' in found.answer)) throw new Error(`no JSON answer in section ${section}`);
	return found.answer.json;
};

test('each endpoint is called exactly as the API states, and its response is returned unchanged', async () => {
	await using stub = await startStubService();
	const client = createClient(stub);
	expect(
		valueOf(
			await client.createServer({
				environment: 'ai',
				port: 8888,
				server_name: 'trainer',
				server_request: 'svc-medium',
			}),
		),
	).toEqual(jsonOf('4.1'));
	expect(
		valueOf(
			await client.startServer('welcome', {environment: 'ai', port: 8888, server_request: 'svc-medium'}),
		),
	).toEqual(jsonOf('4.2'));
	expect({servers: valueOf(await client.servers()).items, status: 'success'}).toEqual(jsonOf('4.3'));
	expect({compute: valueOf(await client.compute()).items, status: 'success'}).toEqual(jsonOf('4.4'));
	expect({environments: valueOf(await client.environments()).items, status: 'success'}).toEqual(
		jsonOf('4.5'),
	);
	expect({
		content: valueOf(
			await client.putFile('welcome', 'note.txt', {content: 'text', format: 'text', type: 'file'}),
		),
		status: 'success',
	}).toEqual(jsonOf('4.6'));
	expect({content: valueOf(await client.getFile('welcome', 'note.txt')), status: 'success'}).toEqual(
		jsonOf('4.7'),
	);
	expect({
		content: valueOf(await client.runCode('welcome', {code: 'print("hello")', kernel_name: 'python3'})),
		status: 'success',
	}).toEqual(jsonOf('4.8'));
	for (const model of ['model_1', 'model_2', 'model_3', 'model_4', 'model_5']) {
		expect(
			valueOf(await client.chat('welcome', model, [{content: 'What can you do?', role: 'user'}])).content,
		).toBe(answer);
	}
	expect(stub.faults).toEqual([]);
	expect(stub.asked).toEqual(transcripts.map(({method, path}) => `${method} ${path}`));
});

test('a field too many, too few or of another value is noticed by that service', async () => {
	await using stub = await startStubService();
	const post = (body: string, headers = {}) =>
		fetch(`${stub.baseUrl}/api/servers`, {
			method: 'POST',
			body,
			headers: {apiKey: stub.apiKey, 'content-type': 'application/json', ...headers},
		});
	const good = {environment: 'ai', port: 8888, server_name: 'trainer', server_request: 'svc-medium'};
	expect((await post(JSON.stringify(good))).status).toBe(202);
	const {port: _, ...less} = good;
	for (const body of [{...good, region: 'eu'}, less, {...good, port: '8888'}])
		expect((await post(JSON.stringify(body))).status).toBe(400);
	expect((await post(JSON.stringify(good), {'content-type': 'text/plain'})).status).toBe(400);
	expect(stub.faults).toHaveLength(4);
});
