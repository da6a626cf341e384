import {once} from 'node:events';
import http from 'node:http';
import net, {type AddressInfo} from 'node:net';
import {afterEach, expect, test, vi} from 'vitest';
import {tlsPeer} from '../../support/peer.ts';
import {selfSigned} from '../../support/self-signed.ts';
import {startModelServer} from '../../support/model-server.ts';
import {ask, CANARY, modelService} from './support.ts';

afterEach(() => {
	vi.unstubAllEnvs();
});

type Proxy = AsyncDisposable & {readonly port: number; readonly url: string; readonly asked: string[]};

/** A proxy that forwards every request to the same address. */
const proxyTo = async (place: string): Promise<Proxy> => {
	const {hostname, port} = new URL(place);
	const asked: string[] = [];
	const sockets = new Set<net.Socket>();
	const server = http.createServer((request, response) => {
		asked.push(`${request.method} ${request.url}`);
		const headers = {...request.headers, host: `${hostname}:${port}`};
		const onward = http.request({hostname, port, method: 'POST', path: '/v1/chat/completions', headers});
		onward.on('response', answer => {
			response.writeHead(answer.statusCode ?? 0, answer.headers);
			answer.pipe(response);
		});
		request.pipe(onward);
	});
	server.on('connection', (socket: net.Socket) => {
		sockets.add(socket);
	});
	server.on('connect', (request, socket: net.Socket) => {
		asked.push(`CONNECT ${request.url} ${JSON.stringify(request.headers)}`);
		const onward = net.connect(Number(port), hostname, () => {
			socket.write('HTTP/1.1 200 OK\r\n\r\n');
			socket.pipe(onward).pipe(socket);
		});
		onward.on('error', () => socket.destroy());
		socket.on('error', () => onward.destroy());
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const {port: own} = server.address() as AddressInfo;
	return {
		port: own,
		url: `http://127.0.0.1:${own}`,
		asked,
		async [Symbol.asyncDispose]() {
			for (const socket of sockets) socket.destroy();
			await new Promise(resolve => server.close(resolve));
		},
	};
};

const FAR = {baseUrl: 'http://model.invalid/v1', model: 'tiny', insecureHttp: true};
const talking = async () =>
	startModelServer(async stream => {
		await stream.text('so');
		await stream.finish();
		await stream.done();
	});

test('a model is asked through the proxy of its settings, else of the environment; NO_PROXY and "none" go straight', async () => {
	await using server = await talking();
	await using named = await proxyTo(server.baseUrl);
	await using surrounding = await proxyTo(server.baseUrl);
	vi.stubEnv('HTTP_PROXY', surrounding.url.replace('//', '//ann:secret-4711@'));
	vi.stubEnv('NO_PROXY', 'straight.invalid');
	await using service = await modelService(keyFile => ({
		model_1: {...FAR, keyFile, proxy: named.url},
		model_2: {...FAR, keyFile},
		model_3: {...FAR, proxy: 'none'},
		model_4: {...FAR, baseUrl: 'http://straight.invalid/v1'},
		model_5: {baseUrl: server.baseUrl, model: 'tiny'},
	}));
	expect((await service.chat('model_1', ask('why?'))).content).toBe('so');
	expect([named.asked, surrounding.asked]).toEqual([['POST http://model.invalid/v1/chat/completions'], []]);
	expect((await service.chat('model_2', ask('why?'))).content).toBe('so');
	expect(surrounding.asked).toEqual(['POST http://model.invalid/v1/chat/completions']);
	expect(server.asked.map(({headers}) => headers.authorization)).toEqual([
		`Bearer ${CANARY}`,
		`Bearer ${CANARY}`,
	]);
	for (const slot of ['model_3', 'model_4'])
		expect((await service.chat(slot, ask('why?'))).problem?.message).toMatch(
			/\.invalid cannot be reached: its host name (?:does not exist|cannot be resolved)/,
		);
	// A model on this machine is reached without the proxy.
	expect((await service.chat('model_5', ask('why?'))).content).toBe('so');
	expect([named.asked.length, surrounding.asked.length]).toEqual([1, 1]);
});

test.each([
	['socks5://ann:secret-4711@127.0.0.1:1', /HTTP_PROXY names a proxy of the kind socks5/],
	['ann:secret%4711@127.0.0.1:1', /the proxy does not respond \(ECONNREFUSED\)/],
])('a proxy written as %j is blamed, without its password', async (address, words) => {
	vi.stubEnv('HTTP_PROXY', address);
	await using service = await modelService(() => ({model_2: FAR}));
	const {problem} = await service.chat('model_2', ask('why?'));
	expect(problem?.message).toMatch(words);
	expect(`${problem?.message}${service.log()}`).not.toContain('4711');
});

test('over TLS the proxy sees the name of the model server, and no key', async () => {
	await using peer = await tlsPeer(selfSigned());
	await using proxy = await proxyTo(peer.url);
	await using service = await modelService(keyFile => ({
		model_2: {baseUrl: 'https://model.invalid/v1', model: 'tiny', keyFile, proxy: proxy.url},
	}));
	expect((await service.chat('model_2', ask('why?'))).problem?.message).toMatch(
		/its certificate is not trusted/,
	);
	expect(proxy.asked).toHaveLength(1);
	expect(proxy.asked[0]).toMatch(/^CONNECT model\.invalid:443 /);
	expect(proxy.asked.join('')).not.toMatch(/canary|why/i);
});

test('a proxy that refuses or is gone is named with its setting, and without its password', async () => {
	const refusing = http.createServer().on('connect', (_, socket: net.Socket) => {
		socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
	});
	refusing.listen(0, '127.0.0.1');
	await once(refusing, 'listening');
	const {port} = refusing.address() as AddressInfo;
	vi.stubEnv('HTTPS_PROXY', `http://ann:secret-4711@127.0.0.1:${port}`);
	await using service = await modelService(() => ({
		model_2: {baseUrl: 'https://model.invalid/v1', model: 'tiny'},
		model_3: {...FAR, proxy: 'http://127.0.0.1:1'},
	}));
	expect((await service.chat('model_2', ask('why?'))).problem?.message).toBe(
		'tiny at model.invalid cannot be reached: the proxy refuses to connect to it; check HTTPS_PROXY, HTTP_PROXY and NO_PROXY where svc-tui is started.',
	);
	expect((await service.chat('model_3', ask('why?'))).problem?.message).toBe(
		'tiny at model.invalid cannot be reached: the proxy does not respond (ECONNREFUSED); check proxy of model_3 in models.json.',
	);
	expect(service.log()).not.toContain('secret-4711');
	refusing.close();
});
