import {expect, test} from 'vitest';
import {explainFailure} from '../../src/api/failure.ts';
import {proxiesIn} from '../../src/settings/service-environment.ts';
import {isExempt, proxyFor} from '../../src/machine/proxy.ts';
import {connect, httpPeer, limited, rawPeer} from '../support/peer.ts';
import {selfSigned} from '../support/self-signed.ts';
import {runCommand, newHome} from '../support/program.ts';
import {tlsPeer} from '../support/peer.ts';
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

const SERVICE = new URL('https://service.example/');

test.each([
	['http://p:3128', 'http://p:3128'],
	[' HTTP://P:3128/ ', 'http://p:3128'],
	['p:3128', 'http://p:3128'],
	['p', 'http://p:80'],
	['user:pw@p:3128', 'http://user:pw@p:3128'],
	['https://p', 'https://p:443'],
	['http://u:50%off@p:3128', 'http://u:50%25off@p:3128'],
	['http://u:a@b#c/d?e:f%@p:3128', 'http://u:a%40b%23c%2Fd%3Fe%3Af%25@p:3128'],
	['http://u:%41%40-%ff@p:3128', 'http://u:A%40-%25ff@p:3128'],
	['http://dom%5Cu:p%20w@p:3128', 'http://dom%5Cu:p%20w@p:3128'],
	['http://[::1]:3128', 'http://[::1]:3128'],
])('a proxy written as %j is used', (value, address) => {
	for (const name of ['HTTPS_PROXY', 'https_proxy', 'Https_Proxy'])
		expect(proxyFor(SERVICE, {[name]: value})).toMatchObject({env: {HTTPS_PROXY: address}, variable: name});
});

test.each([
	'socks5://u:secret@p:1080',
	'SOCKS5H://p:1080',
	'ftp://p',
	'http://',
	'http://u:secret@',
	'http://p:port',
	'http:/p:3128',
	'"http://p:3128"',
])('a proxy written as %j is not bypassed: the error names the right form, without the password', value => {
	const said = proxyFor(SERVICE, {HTTPS_PROXY: value});
	expect(said).toMatch(/^HTTPS_PROXY .*write it as HTTPS_PROXY=http:\/\/proxy\.example\.com:3128/);
	expect(said).not.toContain('secret');
});

test('ALL_PROXY names the proxy of addresses that have none of their own', () => {
	const all = proxiesIn({ALL_PROXY: 'http://p:1', http_proxy: 'http://p:2', HTTPS_PROXY: ''});
	expect(proxyFor(SERVICE, all)).toMatchObject({host: 'p:1', variable: 'ALL_PROXY'});
	expect(proxyFor(new URL('http://service.example/'), all)).toMatchObject({host: 'p:2'});
	expect(proxyFor(SERVICE, {...all, NO_PROXY: 'service.example'})).toBeUndefined();
	expect(proxyFor(SERVICE, proxiesIn({all_proxy: 'socks5h://p:1'}))).toMatch(/^all_proxy .*socks5h/);
});

test('a proxy of another scheme, an empty one, and one for this machine are none', () => {
	expect(proxyFor(SERVICE, {HTTP_PROXY: 'socks5://p', HTTPS_PROXY: ' '})).toBeUndefined();
	expect(proxyFor(new URL('http://localhost:8000/'), {HTTP_PROXY: 'socks5://p'})).toBeUndefined();
});

test.each([
	['service.example', true],
	[' Other.example ,  SERVICE.Example ', true],
	['.example', true],
	['example', true],
	['*.example', true],
	['https://service.example/', true],
	['service.example:443', true],
	['service.example:80', false],
	['ice.example', false],
	['*', true],
	['', false],
])('NO_PROXY=%j: %j', (noProxy, exempt) => {
	expect(isExempt(SERVICE, noProxy)).toBe(exempt);
	expect(proxyFor(SERVICE, {https_proxy: 'socks5://p', no_proxy: noProxy}) === undefined).toBe(exempt);
});

test('NO_PROXY takes out ranges of addresses', () => {
	const at = (host: string) => new URL(`https://${host}/`);
	expect(isExempt(at('10.1.2.3'), '10.0.0.0/8')).toBe(true);
	expect(isExempt(at('11.1.2.3'), '10.0.0.0/8')).toBe(false);
	expect(isExempt(at('10.0.0.5'), '10.0.0.1-10.0.0.9')).toBe(true);
	expect(isExempt(at('[fd00::5]'), 'fd00::/8')).toBe(true);
	expect(isExempt(at('[fd00::5]'), 'fd00::5')).toBe(true);
	expect(isExempt(at('10.0.0.5'), '10.0.0.0/99')).toBe(false);
});

const failed = async (HTTPS_PROXY: string) => {
	const reply = await connect('https://service.invalid', limited({tunnel: 200}), {
		proxyEnv: {HTTPS_PROXY},
	}).createServer({environment: 'ai', port: 1, server_name: 'a', server_request: 'b'});
	if (reply.ok) throw new Error('the call did not fail');
	expect(reply.failure).not.toHaveProperty('ambiguous');
	expect(JSON.stringify(reply)).not.toContain('secret');
	return explainFailure(reply.failure);
};

test('a broken proxy is blamed itself, with a remedy', async () => {
	await using mute = await rawPeer(socket => socket.resume());
	const host = new URL(mute.url).host;
	expect(await failed(mute.url)).toEqual({
		what: `Cannot reach service.invalid: the proxy ${host} did not connect in time.`,
		next: expect.stringContaining('HTTPS_PROXY'),
	});
	await expect.poll(mute.open).toBe(0);
	expect((await failed(mute.url.replace('http:', 'https:'))).what).toContain(`the proxy ${host} did not`);

	const answers = (line: string) =>
		rawPeer(socket => socket.once('data', () => socket.end(`${line}\r\n\r\n`)));
	await using locked = await answers('HTTP/1.1 407 Proxy Authentication Required');
	expect(await failed(locked.url)).toEqual({
		what: `Cannot reach service.invalid: the proxy ${new URL(locked.url).host} asks for a user name and a password (407).`,
		next: `Write them into HTTPS_PROXY, as in http://USER:PASSWORD@${new URL(locked.url).host}.`,
	});
	expect((await failed(locked.url.replace('//', '//me:se%cret@'))).what).toContain(
		'rejected the user name and password (407)',
	);
	await using closed = await answers('HTTP/1.1 403 Forbidden');
	expect((await failed(closed.url)).what).toContain('refused to connect to it (403)');
	await using hollow = await answers('HTTP/1.1 200 OK');
	expect((await failed(hollow.url)).what).toContain(
		`the proxy ${new URL(hollow.url).host} closed the connection`,
	);
	await using other = await answers('SSH-2.0-OpenSSH');
	expect((await failed(other.url)).what).toContain('is not an HTTP proxy');
	const plain = await failed(closed.url.replace('http:', 'https:'));
	expect(plain).toEqual({
		what: expect.stringContaining(
			`Cannot connect securely to the proxy ${new URL(closed.url).host}: that port does not use TLS`,
		),
		next: expect.stringContaining(`HTTPS_PROXY=http://${new URL(closed.url).host}`),
	});
});

test('a proxy for plain HTTP that asks for a password is blamed itself', async () => {
	await using proxy = await httpPeer(response => response.writeHead(407).end());
	const reply = await connect('http://service.invalid', undefined, {
		insecureHttp: true,
		proxyEnv: {http_proxy: proxy.url},
	}).servers();
	expect(reply).toMatchObject({
		failure: {
			kind: 'unreachable',
			message: `Cannot reach service.invalid: the proxy ${new URL(proxy.url).host} asks for a user name and a password (407).`,
		},
	});
});

test('a certificate that SSL_CERT_FILE vouches for is trusted, and no other one of its own', async () => {
	const identity = selfSigned();
	await using peer = await tlsPeer(identity);
	await using home = await newHome();
	const folder = await mkdtemp(join(tmpdir(), 'svc-tui-trust-'));
	try {
		const file = join(folder, 'ca.pem');
		await writeFile(file, identity.cert);
		const env = {SVC_BASE_URL: peer.url, SVC_API_KEY: 'k'};
		const list = (more: object) => runCommand(['servers', '--json'], {home, env: {...env, ...more}});
		for (const more of [{SSL_CERT_FILE: file}, {SSL_CERT_DIR: folder}, {NODE_EXTRA_CA_CERTS: file}])
			expect(await list(more), JSON.stringify(more)).toMatchObject({code: 0, stdout: '[]\n'});
		expect(await list({})).toMatchObject({
			code: 5,
			stderr: expect.stringContaining('its certificate is self-signed'),
		});
	} finally {
		await rm(folder, {recursive: true, force: true});
	}
});
