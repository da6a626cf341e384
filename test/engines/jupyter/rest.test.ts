import http from 'node:http';
import type {AddressInfo} from 'node:net';
import {expect, test} from 'vitest';
import {agentFor} from '../../../src/engines/jupyter/agent-call.ts';
import {callJupyter} from '../../../src/engines/jupyter/rest.ts';

const withServer = async (
	answer: http.RequestListener,
	use: (port: number) => Promise<void>,
): Promise<void> => {
	const server = http.createServer(answer);
	await new Promise<void>(resolve => {
		server.listen(0, '127.0.0.1', resolve);
	});
	await use((server.address() as AddressInfo).port);
	server.closeAllConnections();
	server.close();
};

test('an answer without an end is left at the limit, on each way to a server', async () => {
	let isLeft = 0;
	const endless: http.RequestListener = (_, response) => {
		const piece = Buffer.alloc(1 << 20, ' ');
		const more = (): void => {
			while (!response.destroyed && response.write(piece));
		};
		response.on('drain', more).on('close', () => isLeft++);
		more();
	};
	await withServer(endless, async port => {
		const url = `http://127.0.0.1:${port}/`;
		await expect(callJupyter({url, token: 't'}, 'GET', 'api/status')).rejects.toThrow(/more than 16 MiB/);
		// A host name that only a proxy can resolve; the proxy is the test's own server.
		const proxyEnv = {HTTP_PROXY: url};
		const agent = agentFor(new URL('http://other.test/'), {proxyEnv});
		if (agent === undefined) throw new Error('no agent');
		await expect(
			callJupyter({url: 'http://other.test/', token: 't', agent}, 'GET', 'api/status'),
		).rejects.toMatchObject({cause: {message: expect.stringMatching(/more than 16 MiB/)}});
		await expect.poll(() => isLeft).toBe(2);
	});
});

test('an answer within the limit is read whole, a broken character included', async () => {
	await withServer(
		(_, response) => {
			const bytes = Buffer.from(JSON.stringify({version: 'é'}));
			response.write(bytes.subarray(0, bytes.length - 3));
			response.end(bytes.subarray(bytes.length - 3));
		},
		async port => {
			const server = {url: `http://127.0.0.1:${port}/`, token: 't'};
			expect(await callJupyter(server, 'GET', 'api')).toStrictEqual({status: 200, json: {version: 'é'}});
		},
	);
});
