// @module-tag long
import {once} from 'node:events';
import http from 'node:http';
import type {AddressInfo} from 'node:net';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {newHome, type Home} from '../support/program.ts';
import {runHere} from '../support/run-here.ts';
import {canned, list, serverItem} from './support.ts';

let home: Home;
beforeAll(async () => {
	home = await newHome();
});
afterAll(async () => home[Symbol.asyncDispose]());

const offer = {
	name: 'H100 (1x)',
	cloud_host: 'cloud',
	compute_id: 'cloud-H100x1',
	cpus: 8,
	memory: '64G',
	num_gpus: 1,
	vram_per_gpu: '80G',
	total_vram: '80G',
	hourly_price: 2.5,
	availability: [{available: true, region: 'eu'}],
};

type Look = object | 'lost' | 503 | 404;

/**
 * A service that answers requests for lists with these responses, one after the other; the last one
 * repeats. A create request always succeeds.
 */
const looking = async (...looks: readonly Look[]) => {
	let at = 0;
	const server = http.createServer((request, response) => {
		const look =
			request.method === 'POST'
				? {...serverItem('s'), server_name: 's', status: 'success', hourly_rate: 1}
				: looks[Math.min(at++, looks.length - 1)];
		if (look === 'lost') request.socket.destroy();
		else if (look === 503) response.writeHead(503, {'content-type': 'text/plain'}).end('being updated');
		else if (look === 404)
			response.writeHead(404, {'content-type': 'text/html'}).end('<h1>default backend</h1>');
		else response.writeHead(200, {'content-type': 'application/json'}).end(JSON.stringify(look));
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		env: {SVC_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, SVC_API_KEY: 'k'},
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
};

const nobody = {SVC_BASE_URL: 'http://127.0.0.1:9', SVC_API_KEY: 'k'};

test('server wait continues while the service is down, reports it once, and ends with the server', async () => {
	await using service = await looking('lost', 503, 'lost', 503, list('servers', serverItem('s')));
	const {code, stdout, stderr} = await runHere(['server', 'wait', 's', '--timeout', '60'], {
		home,
		env: service.env,
	});
	expect({code, stdout}).toEqual({code: 0, stdout: 's is ready, https://lab.example/user/u/x/\n'});
	expect(stderr).toMatch(
		/^The connection to \S+ was lost before the response was complete\. Still trying, for 60 s in all\.\nThe service responds again\.\n$/,
	);
});

test('a page of the proxy before it ends no wait once the service was seen', async () => {
	await using service = await looking(
		list('servers', serverItem('s', 'queued')),
		404,
		list('servers', serverItem('s')),
	);
	const {code, stderr} = await runHere(['server', 'wait', 's', '--timeout', '60', '--json'], {
		home,
		env: service.env,
	});
	expect(code).toBe(0);
	expect(
		stderr
			.trim()
			.split('\n')
			.map(line => (JSON.parse(line) as {readonly note: string}).note),
	).toEqual([expect.stringMatching(/\(404\).*Still trying/), 'The service responds again.']);
});

test.each([
	[
		'server wait',
		['server', 'wait', 's', '--timeout', '3'],
		/^"s" was not seen ready within 3 s\. Cannot reach 127\.0\.0\.1:9: /m,
	],
	[
		'compute watch',
		['compute', 'watch', '--timeout', '3', '--every', '0.1'],
		/^The service returned no list of compute options within 3 s, so availability is unknown\. Cannot reach 127\.0\.0\.1:9: /m,
	],
])('%s waits for a service that is not there, and ends with 5 in its time', async (_, args, ending) => {
	const {code, stdout, stderr} = await runHere(args, {home, env: nobody});
	expect({code, stdout}).toEqual({code: 5, stdout: ''});
	expect(stderr).toMatch(
		/^Cannot reach 127\.0\.0\.1:9: connection refused\. Still trying, for 3 s in all\.\n/,
	);
	expect(stderr).toMatch(ending);
});

test('a lasting failure ends both at once', {tags: 'short'}, async () => {
	await using service = await canned({
		'GET /api/servers': '<html>a login page</html>',
		'GET /api/compute': '<html>a login page</html>',
	});
	expect(await runHere(['server', 'wait', 's'], {home, env: service.env})).toMatchObject({
		code: 1,
		stdout: '',
	});
	expect(await runHere(['compute', 'watch'], {home, env: service.env})).toMatchObject({code: 1, stdout: ''});
	expect(service.asked).toEqual(['GET /api/servers', 'GET /api/compute']);
});

test('a watch continues while the service is down, and lists its findings', {tags: 'short'}, async () => {
	await using service = await looking('lost', 503, 'lost', list('compute', offer));
	const {code, stdout, stderr} = await runHere(['compute', 'watch', '--every', '0.05'], {
		home,
		env: service.env,
	});
	expect(code).toBe(0);
	expect(stdout).toContain('cloud-H100x1');
	expect(stderr).toMatch(
		/^The connection to \S+ was lost before the response was complete\. Still trying\.\nThe service responds again\.\n$/,
	);
});

test('a watch that has seen a list reports at its end how long the service was silent', async () => {
	await using service = await looking(list('compute', {...offer, availability: []}), 503);
	const {code, stderr} = await runHere(['compute', 'watch', '--every', '0.1', '--timeout', '3'], {
		home,
		env: service.env,
	});
	expect(code).toBe(5);
	expect(stderr).toMatch(
		/^No match for avail became available within 3 s, as far as the service responded\. It has not responded for the last [\d.]+ s\. /m,
	);
});

test('--wait of a create waits on through an outage', async () => {
	await using service = await looking('lost', 503, list('servers', serverItem('s')));
	const {code, stdout} = await runHere(
		['server', 'create', 's', '--environment', 'ai', '--compute', 'svc-medium', '--wait'],
		{home, env: service.env},
	);
	expect({code, stdout: stdout.split(',')[0]}).toEqual({code: 0, stdout: 's is ready'});
});
