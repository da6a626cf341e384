import {expect, test} from 'vitest';
import {parseServe, ServeUsageError} from '../../src/cli/serve-options.ts';
import {suggestedCommand} from '../../src/cli/suggested-command.ts';

test('the options of serve for other machines are read: several names, certificate and key', () => {
	expect(
		parseServe([
			'--host',
			'0.0.0.0',
			'--port=8443',
			'--allow-host',
			'a.example',
			'--allow-host=b.example',
			'--tls-cert',
			'cert.pem',
			'--tls-key',
			'key.pem',
		]),
	).toEqual({
		host: '0.0.0.0',
		port: 8443,
		allowHosts: ['a.example', 'b.example'],
		tlsCert: 'cert.pem',
		tlsKey: 'key.pem',
		leased: false,
		engine: 'auto',
	});
	expect(parseServe(['--host', '::', '--allow-host', 'a', '--insecure-http'])).toEqual({
		host: '::',
		port: 0,
		allowHosts: ['a'],
		insecureHttp: true,
		leased: false,
		engine: 'auto',
	});
	expect(parseServe([])).toEqual({port: 0, leased: false, engine: 'auto'});
	expect(parseServe(['--metrics', '9464']).metrics).toEqual({address: '127.0.0.1', port: 9464});
	expect(parseServe(['--metrics', '[::1]:0']).metrics).toEqual({address: '::1', port: 0});
});

test.each([
	[['--allow-host', ''], '--allow-host is empty.'],
	[
		['--metrics', '99999'],
		'--metrics "99999" is not a port, or an address and a port such as 127.0.0.1:9464.',
	],
	[['--allow-host', 'a', '--allow-host='], '--allow-host is empty.'],
	[['--tls-cert', ''], '--tls-cert is empty.'],
	[['--insecure-http=yes'], /--insecure-http/],
	[['--tls-key'], /--tls-key/],
	[['--hub', 'https://hub.example.com'], '--hub needs --engine jupyterhub.'],
	[['--drain', '1.5'], '--drain "1.5" is not a whole number of seconds from 0 to 3600.'],
	[['--drain', '3601'], '--drain "3601" is not a whole number'],
	[['--insecure-hub'], '--insecure-hub needs --engine jupyterhub.'],
	[['--browser-sign-in'], '--browser-sign-in needs --engine jupyterhub.'],
] as const)('serve %j is wrong usage that names the option', (args, message) => {
	expect(() => parseServe(args)).toThrow(ServeUsageError);
	expect(() => parseServe(args)).toThrow(message);
});

test('a suggested command for the same service keeps its permission to send the key unencrypted', () => {
	expect(suggestedCommand(['servers'], {baseUrl: 'http://a.example', insecureHttp: true})).toBe(
		'svc-tui servers --base-url http://a.example --insecure-http',
	);
});
