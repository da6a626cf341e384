import {spawn, spawnSync} from 'node:child_process';
import {mkdirSync, writeFileSync} from 'node:fs';
import {createServer, type AddressInfo} from 'node:net';
import {join} from 'node:path';
import {selfSigned} from './self-signed.ts';
import {tempFolder} from './temp-folder.ts';

const PROGRAM = ['nginx', '/usr/sbin/nginx'].find(program => spawnSync(program, ['-v']).status === 0);

/** Reason why nginx cannot be tested here, or null. */
export const nginxMissing = PROGRAM === undefined ? 'nginx is not installed' : null;

export type Nginx = AsyncDisposable & {
	readonly port: number;
	/** Path of the certificate, as PEM. */
	readonly certFile: string;
};

/** Content of the `server` block, and of the block for other host names. */
type Locations =
	string | {readonly own: string; readonly others: {readonly names: string; readonly locations: string}};

/**
 * Starts the real nginx, which terminates TLS on a free port of 127.0.0.1 with a certificate for
 * this name. `locations` creates the content of its blocks for the port.
 */
export const startNginx = async (
	locations: (port: number) => Promise<Locations>,
	name = '127.0.0.1',
): Promise<Nginx> => {
	const temp = tempFolder();
	const {cert, key} = selfSigned({name});
	const certFile = join(temp.path, 'cert.pem');
	writeFileSync(certFile, cert);
	writeFileSync(join(temp.path, 'key.pem'), key, {mode: 0o600});
	mkdirSync(join(temp.path, 'temp'));
	// Nginx inherits the bound socket, so that no other process can take the port in between.
	const socket = createServer();
	await new Promise<void>(resolve => {
		socket.listen(0, '127.0.0.1', resolve);
	});
	const {port} = socket.address() as AddressInfo;
	const made = await locations(port);
	const {own, others} = typeof made === 'string' ? {own: made} : made;
	const block = (content: string): string => `
	server {
		listen 127.0.0.1:${port} ssl;
		ssl_certificate cert.pem; ssl_certificate_key key.pem;
		client_max_body_size 200m;
		${content}
	}`;
	const temps = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
		.map(kind => `${kind}_temp_path temp/${kind};`)
		.join(' ');
	writeFileSync(
		join(temp.path, 'nginx.conf'),
		`
daemon off; worker_processes 1;${process.getuid?.() === 0 ? ' user root;' : ''} pid nginx.pid; error_log stderr warn;
events { worker_connections 256; }
http {
	access_log off; ${temps}
	${block(own)}
	${others ? block(`server_name ${others.names}; ${others.locations}`) : ''}
}
`,
	);
	const {fd} = (socket as unknown as {readonly _handle: {readonly fd: number}})._handle;
	// Node sets O_NONBLOCK and FD_CLOEXEC only on its own copy of the socket.
	const child = spawn(PROGRAM ?? '', ['-p', temp.path, '-c', 'nginx.conf', '-e', 'stderr'], {
		env: {...process.env, NGINX: '3;'},
		stdio: ['ignore', 'ignore', 'pipe', fd],
	});
	let said = '';
	child.stderr?.setEncoding('utf8').on('data', (part: string) => {
		said += part;
	});
	const ended = new Promise<void>(resolve => {
		child.once('close', () => resolve());
	});
	// Before nginx runs, a connection could reach this process.
	await new Promise<void>((resolve, reject) => {
		child.once('error', reject);
		child.once('spawn', () => socket.close(() => resolve()));
	});
	return {
		port,
		certFile,
		async [Symbol.asyncDispose]() {
			child.kill('SIGTERM');
			await ended;
			temp[Symbol.dispose]();
			if (/\[emerg\]/.test(said)) throw new Error(said);
		},
	};
};
