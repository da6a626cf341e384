// A service that requires a client certificate from its own authority (mTLS).
import {spawn} from 'node:child_process';
import {chmodSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {expect, test} from 'vitest';
import {createClient} from '../../src/api/client.ts';
import {connectionOf} from '../../src/settings/connection.ts';
import {selfSigned} from '../support/self-signed.ts';
import {tempFolder} from '../support/temp-folder.ts';

/**
 * Written in Python, because its server sends TLS alerts as OpenSSL does. Node's server only closes
 * the connection.
 */
const SERVER = `
import http.server, json, ssl, sys
folder = sys.argv[1]
class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    def do_GET(self):
        text = json.dumps({'status': 'success', 'servers': []}).encode()
        self.send_response(200)
        self.send_header('content-type', 'application/json')
        self.send_header('content-length', str(len(text)))
        self.end_headers()
        self.wfile.write(text)
    def log_message(self, *_):
        pass
server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
server.handle_error = lambda *_: None
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(folder + '/server.pem', folder + '/server.key')
context.verify_mode = ssl.CERT_REQUIRED
context.load_verify_locations(folder + '/client.pem')
server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
print(server.server_address[1], flush=True)
server.serve_forever()
`;

test('a certificate of this client is shown to a service that asks for one, and each mistake has a sentence', async () => {
	using temp = tempFolder();
	const write = (name: string, text: string, mode = 0o600): string => {
		const file = join(temp.path, name);
		writeFileSync(file, text, {mode});
		return file;
	};
	const [server, client, stranger] = [selfSigned(), selfSigned({name: 'client'}), selfSigned({name: 'x'})];
	const caFile = write('server.pem', server.cert);
	write('server.key', server.key);
	const clientCertFile = write('client.pem', client.cert);
	const clientKeyFile = write('client.key', client.key);
	const child = spawn('python3', ['-c', SERVER, temp.path], {stdio: ['ignore', 'pipe', 'inherit']});
	try {
		const port = await new Promise<string>(resolve => createInterface(child.stdout).once('line', resolve));
		const baseUrl = `https://127.0.0.1:${port}`;
		const told = async (files: Parameters<typeof connectionOf>[0]): Promise<string> => {
			const reply = await createClient({baseUrl, apiKey: 'key', caFile, ...files}).servers();
			return reply.ok ? 'served' : `${reply.failure.kind}: ${reply.failure.message}`;
		};
		expect(await told({clientCertFile, clientKeyFile})).toBe('served');
		const both = write('both.pem', `${client.cert}${client.key}`);
		expect(await told({clientCertFile: both})).toBe('served');

		expect(await told({})).toBe(
			`tls: Cannot connect securely to 127.0.0.1:${port}: it requires a certificate of this client (--client-cert-file, or clientCertFile in the settings).`,
		);
		const other = write('other.pem', `${stranger.cert}${stranger.key}`);
		expect(await told({clientCertFile: other})).toBe(
			`tls: Cannot connect securely to 127.0.0.1:${port}: it did not accept the certificate of this client.`,
		);
		expect(await told({clientKeyFile})).toMatch(/^config: A client key needs its certificate/);
		expect(await told({clientCertFile: `${clientCertFile}.x`})).toMatch(
			/cannot be read, or is not a PEM file\.$/,
		);
		expect(await told({clientCertFile, clientKeyFile: other})).toMatch(/does not belong to the certificate/);
		expect(await told({clientCertFile})).toMatch(/holds no private key in PEM format\. Name it with/);
		expect(await told({clientCertFile, clientKeyFile: `${clientKeyFile}.x`})).toMatch(
			/key .* does not exist\.$/,
		);
		chmodSync(clientKeyFile, 0o644);
		expect(await told({clientCertFile, clientKeyFile})).toMatch(/must be private: run chmod 600 on it\.$/);
	} finally {
		child.kill();
	}
});

test("a profile's key is not used with the certificate of the command line", () => {
	const profile = {clientCertFile: 'a.pem', clientKeyFile: 'a.key', caFile: 'ca.pem'};
	expect(connectionOf({}, profile)).toEqual(profile);
	expect(connectionOf({clientCertFile: 'b.pem'}, profile)).toEqual({
		clientCertFile: 'b.pem',
		caFile: 'ca.pem',
	});
	expect(connectionOf({clientKeyFile: 'b.key'}, profile)).toEqual({...profile, clientKeyFile: 'b.key'});
});
