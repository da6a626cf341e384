import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {openMcp, type McpClient} from '../support/mcp-client.ts';
import {newHome, type Home} from '../support/program.ts';
import {waitFor} from '../support/wait-for.ts';
import {serve, type Served} from './support.ts';

const READ = [
	'list_servers',
	'list_compute',
	'list_environments',
	'list_files',
	'read_file',
	'list_cells',
	'read_cell',
	'list_kernels',
	'list_variables',
	'read_variable',
];
const WRITE = ['write_file', 'edit_file', 'make_folder', 'move_file', 'delete_file'];
const WRITE_CELLS = ['add_cell', 'edit_cell', 'move_cell', 'delete_cell'];

let home: Home;
let served: Served;
beforeAll(async () => {
	home = await newHome();
	served = await serve(home);
});
afterAll(async () => {
	await served[Symbol.asyncDispose]();
	await home[Symbol.asyncDispose]();
});

const hold = (
	mcp: McpClient,
	stop: AbortSignal,
): {readonly runs: Promise<void>; readonly over: Promise<unknown>} => {
	const runs = Promise.withResolvers<void>();
	const over = mcp
		.call(
			'run_code',
			{server: 'welcome', code: 'n = 0\nprint("begun")\nwhile True:\n    n += 1'},
			{
				signal: stop,
				onprogress({message}) {
					if (/^the code is running, \d+ characters printed/.test(message ?? '')) runs.resolve();
				},
			},
		)
		.catch((error: unknown) => error);
	return {runs: runs.promise, over};
};

test('code runs and files are written if allowed, and each change reports its result', async () => {
	await using mcp = await openMcp({home, env: served.env, args: ['--allow', 'run,write']});
	expect(await mcp.tools()).toEqual([
		...READ.slice(0, -2),
		'interrupt_kernel',
		'restart_kernel',
		...READ.slice(-2),
		'run_code',
		'run_cell',
		'wait_for_cell',
		'list_jobs',
		'start_job',
		'read_job',
		'stop_job',
		'search_files',
		'start_server',
		...WRITE,
		...WRITE_CELLS,
	]);
	expect(await mcp.call('run_code', {server: 'welcome', code: '1'})).toMatchObject({
		isError: true,
		text: expect.stringMatching(
			/^"welcome" is offline\.\nstart_server starts it; so does svc-tui server start/,
		),
	});
	// Starting a server without costs needs no permission.
	expect((await mcp.call('start_server', {server: 'welcome'})).value).toEqual({
		server: 'welcome',
		status: 'ready',
		hourly_rate: 0,
	});
	const run = (code: string) => mcp.call('run_code', {server: 'welcome', code});
	expect(await run('x = 20\nprint("\\x1b[31mred\\x1b[0m")\nx + 1')).toMatchObject({
		isError: false,
		text: 'The code has run.\nred\n21\n',
	});
	expect(await run('print(x)\n1/0')).toMatchObject({
		isError: true,
		text: expect.stringMatching(/^The code raised ZeroDivisionError\.\n20\n[^]*division by zero/),
	});
	expect((await run('print("a" * 50_000)')).text).toMatch(/a\n… 20,001 characters left out …\na/);

	const write = (given: object) => mcp.call('write_file', {server: 'welcome', path: 'in/a.txt', ...given});
	expect(await write({content: 'one\ntwo\n'})).toMatchObject({
		isError: false,
		text: '"in/a.txt" was written: 8 bytes.',
	});
	expect(await write({content: 'three'})).toMatchObject({
		isError: true,
		text: expect.stringMatching(/^"in\/a\.txt" already exists\.\n/),
	});
	const edit = (given: object) => mcp.call('edit_file', {server: 'welcome', path: 'in/a.txt', ...given});
	expect(await edit({old_text: 'o', new_text: '0'})).toMatchObject({
		isError: true,
		text: expect.stringMatching(/^old_text occurs in "in\/a\.txt" 2 times\.\n/),
	});
	expect(await edit({old_text: 'three', new_text: ''})).toMatchObject({isError: true});
	expect(await edit({old_text: 'two', new_text: '2 $& two'})).toMatchObject({
		isError: false,
		text: '"in/a.txt" was changed in 1 place.',
	});
	expect(await mcp.call('read_file', {server: 'welcome', path: 'in/a.txt'})).toMatchObject({
		text: '"in/a.txt": 2 lines, 13 bytes.\none\n2 $& two\n',
	});
	const search = (given: object) => mcp.call('search_files', {server: 'welcome', path: 'in', ...given});
	expect((await search({pattern: 't.o$'})).text).toBe('Lines that match follow.\nin/a.txt:2:2 $& two');
	expect((await search({pattern: 't.o', fixed: true})).text).toBe('No line matches.');
	expect(await search({pattern: '('})).toMatchObject({isError: true});
	expect(await mcp.call('move_file', {server: 'welcome', path: 'in/a.txt', new_path: 'b.txt'})).toMatchObject(
		{isError: false, text: 'in/a.txt is now b.txt'},
	);
	expect(await mcp.call('delete_file', {server: 'welcome', path: 'in'})).toMatchObject({
		isError: true,
		text: expect.stringMatching(/^in is a folder\.\nrecursive: true deletes it and its contents;/),
	});
	expect(await mcp.call('delete_file', {server: 'welcome', path: 'b.txt'})).toMatchObject({isError: false});
	expect(await run('import os; print(os.path.exists("b.txt"), os.listdir("in"))')).toMatchObject({
		text: 'The code has run.\nFalse []\n',
	});
	expect(await mcp.call('stop_server', {server: 'welcome'})).toMatchObject({
		isError: true,
		text: 'stop_server is not allowed: the user starts svc-tui mcp with --allow spend.',
	});
});

test('a call that the client cancels interrupts the code, and its names stay', async () => {
	expect(await served.run(['server', 'start', 'welcome', '--wait'])).toMatchObject({code: 0});
	await using mcp = await openMcp({home, env: served.env, args: ['--allow', 'run']});
	const stop = new AbortController();
	const {runs, over} = hold(mcp, stop.signal);
	await runs;
	stop.abort();
	expect(await over).toBeInstanceOf(Error);
	expect(await mcp.call('run_code', {server: 'welcome', code: 'n > 0'})).toMatchObject({
		text: 'The code has run.\nTrue\n',
	});
});

test.each(['its input is closed', 'SIGTERM'])('so does the end of the client: %s', async how => {
	expect(await served.run(['server', 'start', 'welcome', '--wait'])).toMatchObject({code: 0});
	await using mcp = await openMcp({home, env: served.env, args: ['--allow', 'run']});
	const {runs, over} = hold(mcp, new AbortController().signal);
	await runs;
	if (how === 'SIGTERM') process.kill(mcp.pid, 'SIGTERM');
	else await mcp.client.close();
	// The interrupted call may return before the task's end is reported.
	const end = await over;
	expect(end instanceof Error || (end as {isError?: boolean}).isError).toBe(true);
	await waitFor(() => expect(() => process.kill(mcp.pid, 0)).toThrow());
	expect(await served.run(['run', 'welcome', '-c', 'n > 0'])).toMatchObject({code: 0, stdout: 'True\n'});
});

test('a read-only profile only reads, regardless of permissions', async () => {
	await using own = await newHome();
	const config = join(own.folder, '.config/svc-tui');
	mkdirSync(config, {recursive: true});
	const keyFile = join(own.folder, 'key');
	writeFileSync(keyFile, served.key, {mode: 0o600});
	writeFileSync(
		join(config, 'settings.json'),
		JSON.stringify({profile: 'safe', profiles: {safe: {baseUrl: served.url, keyFile, readOnly: true}}}),
	);
	await using mcp = await openMcp({home: own, args: ['--allow', 'run,write,spend', '--max-price', '9']});
	expect(await mcp.tools()).toEqual(READ);
	const said = 'The profile safe is read-only, so svc-tui mcp only reads and ignores --allow.';
	expect(await mcp.call('run_code', {server: 'welcome', code: '1'})).toMatchObject({
		isError: true,
		text: said,
	});
	expect(mcp.stderr()).toBe(`${said}\n`);
	expect((await mcp.call('list_servers')).value).toMatchObject({servers: [{name: 'welcome'}]});
});
