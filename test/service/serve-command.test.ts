import {chmodSync, mkdirSync, readFileSync, symlinkSync} from 'node:fs';
import {createServer} from 'node:net';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {isFolderInUse} from '../../src/settings/instance-lock.ts';
import {readInstance} from '../../src/settings/instance.ts';
import {testRows} from '../support/rows.ts';
import {serveProcess} from '../support/serve-process.ts';
import {tempFolder} from '../support/temp-folder.ts';

test('serve prints its address and where the key is, never the key, and is ready by then', async () => {
	using temp = tempFolder();
	const dataFolder = join(temp.path, 'data');
	await using serve = serveProcess(dataFolder);
	const url = await serve.url();
	const key = readFileSync(join(dataFolder, 'key'), 'utf8');
	expect((await fetch(`${url}/api/servers`, {headers: {apiKey: key}})).status).toBe(200);
	expect(serve.stdout()).toBe(`listening on ${url}\nthe API key is in ${join(dataFolder, 'key')}\n`);
	expect(readFileSync(`/proc/${serve.child.pid}/cmdline`, 'utf8')).not.toContain(key);
});

test('serve with a key from the environment prints one line and creates no key file', async () => {
	using temp = tempFolder();
	const dataFolder = join(temp.path, 'data');
	await using serve = serveProcess(dataFolder, {env: {TEST_SERVICE_KEY: 'canary-key'}});
	const url = await serve.url();
	expect((await fetch(`${url}/api/servers`, {headers: {apiKey: 'canary-key'}})).status).toBe(200);
	serve.child.kill('SIGTERM');
	await serve.exited;
	expect(serve.stdout()).toBe(`listening on ${url}\n`);
	expect(serve.stderr()).toBe('');
	expect(() => readFileSync(join(dataFolder, 'key'))).toThrow('ENOENT');
});

const SIGNALS = [
	['SIGTERM', 143],
	['SIGINT', 130],
	['SIGHUP', 129],
] as const;
testRows('%s ends serve with its code and leaves no instance file', SIGNALS, 1, async ([signal, code]) => {
	using temp = tempFolder();
	await using serve = serveProcess(temp.path);
	await serve.url();
	expect(readInstance(temp.path)).toMatchObject({pid: serve.child.pid, keyFrom: 'file', leased: false});
	serve.child.kill(signal);
	expect(await serve.exited).toBe(code);
	expect(readInstance(temp.path)).toBeNull();
	expect(isFolderInUse(temp.path)).toBe(false);
});

test('a second serve on one folder names the owner and its port and exits 73', async () => {
	using temp = tempFolder();
	await using first = serveProcess(temp.path);
	const {port} = new URL(await first.url());
	await using second = serveProcess(temp.path);
	expect(await second.exited).toBe(73);
	expect(second.stderr()).toContain(`process ${first.child.pid} on port ${port}`);
	expect(second.stdout()).toBe('');
});

test('after kill -9 the folder is free at once', {tags: 'long'}, async () => {
	using temp = tempFolder();
	await using first = serveProcess(temp.path);
	await first.url();
	first.child.kill('SIGKILL');
	await first.exited;
	expect(readInstance(temp.path)).not.toBeNull();
	expect(isFolderInUse(temp.path)).toBe(false);
	await using second = serveProcess(temp.path);
	await second.url();
	expect(readInstance(temp.path)?.pid).toBe(second.child.pid);
});

test('a taken port is named, with exit code 69, and the folder is free again', async () => {
	using temp = tempFolder();
	const other = createServer();
	await new Promise<void>(resolve => {
		other.listen(0, '127.0.0.1', resolve);
	});
	const address = other.address();
	const port = typeof address === 'object' ? String(address?.port) : '';
	await using serve = serveProcess(temp.path, {args: ['--port', port]});
	expect(await serve.exited).toBe(69);
	expect(serve.stderr()).toContain(`port ${port}`);
	expect(isFolderInUse(temp.path)).toBe(false);
	other.close();
});

test('a folder that others may write to, or a link to one, is not safe: exit code 77', async () => {
	using temp = tempFolder();
	const open = join(temp.path, 'open');
	mkdirSync(open);
	chmodSync(open, 0o777);
	await using serve = serveProcess(open);
	expect(await serve.exited).toBe(77);
	expect(serve.stderr()).toMatch(/chmod 700/);
	symlinkSync(open, join(temp.path, 'link'));
	await using linked = serveProcess(join(temp.path, 'link'));
	expect(await linked.exited).toBe(77);
});

test('a host beyond this machine is a usage error', async () => {
	using temp = tempFolder();
	await using serve = serveProcess(temp.path, {args: ['--host', '0.0.0.0']});
	expect(await serve.exited).toBe(2);
	expect(serve.stderr()).toContain('ssh -L');
});
