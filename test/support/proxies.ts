import {spawn, spawnSync} from 'node:child_process';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {connect} from 'node:net';
import {join} from 'node:path';
import {expect} from 'vitest';
import {selfSigned} from './self-signed.ts';
import {tempFolder} from './temp-folder.ts';
import {waitFor} from './wait-for.ts';

const PAGE = join(import.meta.dirname, '../../src/docs/proxy.md');

export const PROXIES = ['nginx', 'haproxy', 'caddy'] as const;
export type ProxyName = (typeof PROXIES)[number];

const VERSION = {nginx: '-v', haproxy: '-v', caddy: 'version'} as const;
const programOf = (name: ProxyName): string | undefined =>
	[name, `/usr/sbin/${name}`].find(program => spawnSync(program, [VERSION[name]]).status === 0);

/** Reason why the proxy cannot be tested here, or null. */
export const proxyMissing = (name: ProxyName): string | null =>
	programOf(name) === undefined ? `${name} is not installed` : null;

/**
 * Replaces each text. Fails if a text does not occur, because an unchanged configuration would
 * prove nothing.
 */
const replaced = (text: string, changes: ReadonlyArray<readonly [from: string, to: string]>): string => {
	let made = text;
	for (const [from, to] of changes) {
		if (!made.includes(from)) throw new Error(`the page of proxies does not say ${JSON.stringify(from)}`);
		made = made.replaceAll(from, to);
	}
	return made;
};

/**
 * The configuration of the page on proxies, for a proxy at `port` of 127.0.0.1 in front of a
 * service. `strips`: use the variant that removes the path.
 */
const configurationOf = (
	name: ProxyName,
	{port, to, folder, strips}: {port: number; to: readonly number[]; folder: string; strips: boolean},
): string => {
	const [, page = ''] =
		new RegExp(`^\`\`\`${name}\\n([^]*?)^\`\`\``, 'm').exec(readFileSync(PAGE, 'utf8')) ?? [];
	const [one = 0] = to;
	const services = {
		nginx: [['127.0.0.1:8000', to.length === 1 ? `127.0.0.1:${one}` : 'services']] as const,
		haproxy: [
			[
				'    server one 127.0.0.1:8000 check',
				to.map(each => `    server at-${each} 127.0.0.1:${each} check inter 100ms`).join('\n'),
			],
		] as const,
		caddy: [['127.0.0.1:8000', to.map(each => `127.0.0.1:${each}`).join(' ')]] as const,
	}[name];
	const own = {
		nginx: [
			['listen 443', `listen 127.0.0.1:${port}`],
			['server_name nb.example.com', 'server_name 127.0.0.1'],
			['/etc/ssl/nb.pem', 'cert.pem'],
			['/etc/ssl/private/nb.key', 'key.pem'],
			...(strips
				? [['proxy_pass http://127.0.0.1:8000;', 'proxy_pass http://127.0.0.1:8000/;'] as const]
				: []),
		],
		haproxy: [
			['bind :443', `bind 127.0.0.1:${port}`],
			['/etc/ssl/private/nb-with-key.pem', join(folder, 'both.pem')],
			...(strips ? [['# http-request replace-path', 'http-request replace-path'] as const] : []),
		],
		caddy: [
			[
				'nb.example.com {',
				`https://127.0.0.1:${port} {\n    tls ${join(folder, 'cert.pem')} ${join(folder, 'key.pem')}`,
			],
			...(strips ? [['handle ', 'handle_path '] as const] : []),
		],
	} as const;
	const said = replaced(page, [...own[name], ...services]);
	if (name === 'haproxy') return said;
	if (name === 'caddy')
		return `{\n    admin off\n    auto_https disable_redirects\n    storage file_system ${folder}/caddy\n}\n${said}`;
	const temps = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
		.map(kind => `${kind}_temp_path temp/${kind};`)
		.join(' ');
	const upstream =
		to.length === 1 ? '' : `upstream services { ${to.map(each => `server 127.0.0.1:${each};`).join(' ')} }`;
	return `daemon off; worker_processes 1;${process.getuid?.() === 0 ? ' user root;' : ''} pid nginx.pid; error_log stderr warn;
events { worker_connections 256; }
http { access_log off; ${temps}
${upstream}
${said}
}
`;
};

const ARGUMENTS = {
	nginx: (file: string) => ['-p', join(file, '..'), '-c', file, '-e', 'stderr'],
	haproxy: (file: string) => ['-db', '-f', file],
	caddy: (file: string) => ['run', '--config', file, '--adapter', 'caddyfile'],
} as const;

export type Proxy = AsyncDisposable & {
	/** Path of the certificate, as PEM. */
	readonly certFile: string;
};

/**
 * Starts the real proxy on `port` of 127.0.0.1 with the configuration of the page on proxies. It
 * forwards to the services at these ports.
 */
export const startProxy = async (
	name: ProxyName,
	{port, to, strips}: {readonly port: number; readonly to: readonly number[]; readonly strips: boolean},
): Promise<Proxy> => {
	const temp = tempFolder();
	const {path: folder} = temp;
	const {cert, key} = selfSigned({name: '127.0.0.1'});
	const certFile = join(folder, 'cert.pem');
	writeFileSync(certFile, cert);
	writeFileSync(join(folder, 'key.pem'), key, {mode: 0o600});
	writeFileSync(join(folder, 'both.pem'), cert + key, {mode: 0o600});
	mkdirSync(join(folder, 'temp'));
	const file = join(folder, 'proxy.conf');
	writeFileSync(file, configurationOf(name, {port, to, folder, strips}));
	const child = spawn(programOf(name) ?? '', ARGUMENTS[name](file), {
		env: {...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder},
		stdio: ['ignore', 'ignore', 'pipe'],
	});
	let said = '';
	child.stderr.setEncoding('utf8').on('data', (part: string) => {
		said += part;
	});
	const ended = new Promise<void>(resolve => {
		child.once('close', () => resolve());
	});
	const answers = (): Promise<boolean> =>
		new Promise(resolve => {
			const socket = connect(port, '127.0.0.1');
			socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
			socket.once('connect', () => socket.destroy());
		});
	await waitFor(async () => expect([await answers(), child.exitCode], said).toEqual([true, null]));
	return {
		certFile,
		async [Symbol.asyncDispose]() {
			child.kill('SIGTERM');
			await ended;
			temp[Symbol.dispose]();
		},
	};
};
