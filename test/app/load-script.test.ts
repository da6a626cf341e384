// The program starts from code that the build has compiled. If Node rejects that code, it compiles
// the script and caches the result for the next start. A damaged cache only makes one start slower.
import {mkdir, readdir, readFile, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {serve} from '../cli/support.ts';
import {testRows} from '../support/rows.ts';
import {newHome, openProgram, runCommand, type Home} from '../support/program.ts';

const folderOf = ({folder}: Home): string => join(folder, '.cache/svc-tui/compiled');
const named = async (home: Home, script: string): Promise<string | undefined> => {
	const names = await readdir(folderOf(home), {recursive: true}).catch(() => []);
	return names.find(name => name.endsWith(`${script}.code`));
};
const codeOf = async (home: Home, script: string): Promise<string> => {
	const name = await named(home, script);
	if (name === undefined) throw new Error('nothing is kept');
	return join(folderOf(home), name);
};

/**
 * The build compiled without this flag, so V8 rejects the compiled code. Each home has its own
 * cache.
 */
const OTHER_FLAGS = {NODE_OPTIONS: '--stack-trace-limit=9', NODE_COMPILE_CACHE: ''};

type Start = (home: Home, env?: Readonly<Record<string, string>>) => Promise<void>;

const screens: Start = async (home, env = OTHER_FLAGS) => {
	await using terminal = await openProgram({home, env});
	await terminal.until('welcome');
	terminal.type('\u0003\u0003');
	expect((await terminal.exit).code).toBe(0);
};

const commands: Start = async (home, env = OTHER_FLAGS) => {
	const {code, stdout, stderr} = await runCommand(['help', 'settings'], {home, env});
	expect({code, stderr}).toEqual({code: 0, stderr: ''});
	expect(stdout).toContain('screenReader');
};

const service: Start = async (home, env = OTHER_FLAGS) => {
	await using served = await serve({...home, env: {...home.env, ...env}});
	expect(served.url).not.toBe('');
};

describe.for([
	['screens', screens],
	['commands', commands],
	['service', service],
] as const)('%s', ([script, start]) => {
	test('the first start takes the code of the build, and keeps none of its own', async () => {
		await using home = await newHome();
		await start(home, {NODE_COMPILE_CACHE: ''});
		expect(await named(home, script)).toBeUndefined();
	});

	test(
		'if the code of the build is rejected, the second start uses the code of the first',
		{tags: 'long'},
		async () => {
			await using home = await newHome();
			await start(home);
			const file = await codeOf(home, script);
			const {ino, mode, size} = await stat(file);
			expect([mode & 0o777, size > 100_000]).toEqual([0o600, true]);
			await start(home);
			expect((await stat(file)).ino).toBe(ino);
		},
	);
});

// Tested with one script, because the same function loads all of them.
const BROKEN: readonly (readonly [string, (code: Buffer) => Buffer])[] = [
	[
		'of another version of the program',
		(code: Buffer) => Buffer.concat([Buffer.from('0123456789abcdef'), code.subarray(16)]),
	],
	['cut in the middle', (code: Buffer) => code.subarray(0, code.length / 2)],
	['cut after a few bytes', (code: Buffer) => code.subarray(0, 100)],
	['empty', () => Buffer.alloc(0)],
	[
		'of another Node',
		(code: Buffer) => Buffer.concat([code.subarray(0, 16), Buffer.alloc(64, 1), code.subarray(80)]),
	],
];
testRows('code that is %s is recompiled', BROKEN, 1, async ([_, change]) => {
	await using home = await newHome();
	await commands(home);
	const file = await codeOf(home, 'commands');
	const code = await readFile(file);
	await writeFile(file, change(code));
	const {ino} = await stat(file);
	await commands(home);
	expect((await stat(file)).ino).not.toBe(ino);
	expect((await readFile(file)).subarray(0, 16)).toEqual(code.subarray(0, 16));
});

test('without a place for the cache, the program starts nevertheless', async () => {
	await using home = await newHome();
	await commands(home, {...OTHER_FLAGS, NODE_DISABLE_COMPILE_CACHE: '1'});
	expect(await named(home, 'commands')).toBeUndefined();
	await using other = await newHome();
	await mkdir(join(other.folder, '.cache/svc-tui'), {recursive: true});
	await writeFile(folderOf(other), 'a file where a folder should be');
	await commands(other);
});
