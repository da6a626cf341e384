// A start takes the code that the build compiled. Where Node rejects that, what was compiled is kept for the next start, and whatever is wrong with
// it costs that start time only.
import {mkdir, readdir, readFile, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {newHome, openProgram, type Home} from '../support/program.ts';

const folderOf = ({folder}: Home): string => join(folder, '.cache/svc-tui/compiled');
const named = async (home: Home): Promise<string | undefined> => {
	const names = await readdir(folderOf(home), {recursive: true}).catch(() => []);
	return names.find(name => name.endsWith('screens.code'));
};
const codeOf = async (home: Home): Promise<string> => {
	const name = await named(home);
	if (name === undefined) throw new Error('nothing is kept');
	return join(folderOf(home), name);
};

/** Code of the build was compiled without this flag, which V8 therefore rejects; each home keeps its own. */
const OTHER_FLAGS = {NODE_OPTIONS: '--stack-trace-limit=9', NODE_COMPILE_CACHE: ''};

const startAndQuit = async (
	home: Home,
	env: Readonly<Record<string, string>> = OTHER_FLAGS,
): Promise<void> => {
	await using terminal = await openProgram({home, env});
	await terminal.until('welcome');
	terminal.type('\u0003\u0003');
	expect((await terminal.exit).code).toBe(0);
};

test('the first start takes the code of the build, and keeps none of its own', async () => {
	await using home = await newHome();
	await startAndQuit(home, {NODE_COMPILE_CACHE: ''});
	expect(await named(home)).toBeUndefined();
});

test('where the code of the build is rejected, the second start takes the code of the first', async () => {
	await using home = await newHome();
	await startAndQuit(home);
	const file = await codeOf(home);
	const {ino, mode, size} = await stat(file);
	expect([mode & 0o777, size > 1_000_000]).toEqual([0o600, true]);
	await startAndQuit(home);
	expect((await stat(file)).ino).toBe(ino);
});

test.each([
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
] as const)('code that is %s is made anew', async (_, change) => {
	await using home = await newHome();
	await startAndQuit(home);
	const file = await codeOf(home);
	const code = await readFile(file);
	await writeFile(file, change(code));
	const {ino} = await stat(file);
	await startAndQuit(home);
	expect((await stat(file)).ino).not.toBe(ino);
	expect((await readFile(file)).subarray(0, 16)).toEqual(code.subarray(0, 16));
});

test('where nothing can be kept, or nothing is to be, the program starts all the same', async () => {
	await using home = await newHome();
	await startAndQuit(home, {...OTHER_FLAGS, NODE_DISABLE_COMPILE_CACHE: '1'});
	expect(await named(home)).toBeUndefined();
	await using other = await newHome();
	await mkdir(join(other.folder, '.cache/svc-tui'), {recursive: true});
	await writeFile(folderOf(other), 'a file where a folder should be');
	await using terminal = await openProgram({home: other, env: OTHER_FLAGS});
	await terminal.until('welcome');
});
