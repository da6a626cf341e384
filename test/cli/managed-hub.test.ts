import {expect, test} from 'vitest';
import {parseServe} from '../../src/cli/serve-options.ts';

/** Environment variables that JupyterHub 3 passes to a service with a `url`. */
const HUB = {
	JUPYTERHUB_SERVICE_NAME: 'svc-tui',
	JUPYTERHUB_API_TOKEN: 'canary',
	JUPYTERHUB_API_URL: 'http://127.0.0.1:8081/hub/api',
	JUPYTERHUB_BASE_URL: '/',
	JUPYTERHUB_SERVICE_PREFIX: '/services/svc-tui/',
	JUPYTERHUB_SERVICE_URL: 'http://127.0.0.1:9999',
};
const ENGINE = ['--engine', 'jupyterhub'];
const ADDRESS = 'https://hub.example.com/services/svc-tui';

test('a service that a hub starts takes hub, address and port from it, and its token from nowhere', () => {
	const options = parseServe([...ENGINE, '--public-url', ADDRESS], HUB);
	expect(options).toMatchObject({
		engine: 'jupyterhub',
		hub: 'http://127.0.0.1:8081/hub/api',
		hubOrigin: 'https://hub.example.com',
		host: '127.0.0.1',
		port: 9999,
		publicUrl: ADDRESS,
	});
	expect(JSON.stringify(options)).not.toContain('canary');
});

test('if the hub gives the public address too, nothing is left to set; an explicit one has priority', () => {
	const told = {...HUB, JUPYTERHUB_PUBLIC_URL: `${ADDRESS}/`};
	expect(parseServe(ENGINE, told)).toMatchObject({publicUrl: `${ADDRESS}/`, port: 9999});
	expect(parseServe([...ENGINE, '--port', '7000', '--host', '::1'], told)).toMatchObject({
		port: 7000,
		host: '::1',
	});
});

test.each([
	[[]],
	[['--public-url', 'https://hub.example.com']],
	[['--public-url', 'https://hub.example.com/services/other']],
])('without the address below which the hub leads here (%j) it names the missing one', more => {
	expect(() => parseServe([...ENGINE, ...more], HUB)).toThrow(
		'Give the address where users reach this service: --public-url https://HUB/services/svc-tui',
	);
});

test("in a user's own server on a hub, with another hub named, or with another engine nothing is taken", () => {
	const {JUPYTERHUB_SERVICE_NAME: _, ...own} = HUB;
	expect(parseServe(ENGINE, own)).toEqual({engine: 'jupyterhub', port: 0, leased: false});
	expect(parseServe([...ENGINE, '--hub', 'https://other.example'], HUB)).toEqual({
		engine: 'jupyterhub',
		hub: 'https://other.example',
		port: 0,
		leased: false,
	});
	expect(parseServe([], HUB)).toEqual({engine: 'auto', port: 0, leased: false});
});
