// @module-tag long
import {mkdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {serve} from '../cli/support.ts';
import {openRepl, runCode, startWelcome} from '../journeys/steps.ts';
import {newHome, openProgram, runCommand, type Home} from '../support/program.ts';

const SERVICE = '.local/share/svc-tui/service';
const OWN =
	/set XDG_(DATA|CONFIG)_HOME to a folder you own|delete it while no svc-tui is running|to start without servers|name another one/;

type Case = {
	readonly what: string;
	/** Path of the unusable folder or file, below the home folder. */
	readonly place: string;
	readonly is: 'a folder' | 'a file' | 'damage';
	readonly cause: RegExp;
	/** Exit code of `serve`. Null if `serve` does not use the path. */
	readonly serve: number | null;
};

const CASES: readonly Case[] = [
	{
		what: 'data',
		place: '.local/share/svc-tui',
		is: 'a file',
		cause: /is a file, not a folder|is a file where a folder belongs/,
		serve: 77,
	},
	{
		what: 'home of data',
		place: '.local',
		is: 'a file',
		cause: /is a file, not a folder|is a file where a folder belongs/,
		serve: 77,
	},
	{
		what: 'settings',
		place: '.config/svc-tui/settings.json',
		is: 'a folder',
		cause: /is a folder where a file belongs/,
		serve: null,
	},
	{what: 'config', place: '.config/svc-tui', is: 'a file', cause: /is a file, not a folder/, serve: null},
	{what: 'lock', place: `${SERVICE}/instance.lock`, is: 'a folder', cause: /lock file \S+ /, serve: 77},
	{
		what: 'lock',
		place: `${SERVICE}/instance.lock`,
		is: 'damage',
		cause: /lock file \S+ is damaged/,
		serve: 77,
	},
	{
		what: 'log',
		place: `${SERVICE}/service.log`,
		is: 'a folder',
		cause: /is a folder where a file belongs/,
		serve: 77,
	},
	{what: 'key', place: `${SERVICE}/key`, is: 'a folder', cause: /is a folder where a file belongs/, serve: 2},
	{
		what: 'registry',
		place: `${SERVICE}/registry.sqlite`,
		is: 'a folder',
		cause: /is a folder where a file belongs/,
		serve: 77,
	},
	{
		what: 'registry',
		place: `${SERVICE}/registry.sqlite`,
		is: 'damage',
		cause: /registry \S+ is damaged/,
		serve: 77,
	},
	{
		what: 'instance file',
		place: `${SERVICE}/instance.json`,
		is: 'a folder',
		cause: /is a folder where a file belongs/,
		serve: 77,
	},
	{
		what: 'servers',
		place: `${SERVICE}/servers`,
		is: 'a file',
		cause: /is a file where a folder belongs|is a file, not a folder/,
		serve: 77,
	},
];

const put = ({folder}: Home, {place, is}: Case): string => {
	const path = join(folder, place);
	mkdirSync(is === 'a folder' ? path : dirname(path), {recursive: true, mode: 0o700});
	if (is !== 'a folder') writeFileSync(path, 'neither a registry nor a lock '.repeat(300), {mode: 0o600});
	return path;
};

test.each(CASES)(
	'$what: where $is is in the way, a command and serve name the place, the cause and the cure',
	async one => {
		await using home = await newHome();
		const path = put(home, one);
		const command = await runCommand(['servers'], {home});
		expect([command.code, command.stdout]).toEqual([2, '']);
		expect(command.stderr).toContain(path);
		expect(command.stderr).toMatch(one.cause);
		expect(command.stderr).toMatch(OWN);
		expect(command.stderr).not.toMatch(/error of its own|internal error|Please report it|\bE[A-Z]{4,}\b/);
		if (one.serve !== null) {
			const serve = await runCommand(['serve', '--port', '0'], {home});
			expect([serve.code, serve.stdout]).toEqual([one.serve, '']);
			expect(serve.stderr).toContain(path);
			expect(serve.stderr).toMatch(one.cause);
			expect(serve.stderr).not.toMatch(/\bE[A-Z]{4,}\b/);
		}
		if (one.what === 'lock') {
			const stop = await runCommand(['local', 'stop'], {home});
			expect([stop.code, stop.stdout]).toEqual([2, '']);
			expect(stop.stderr).toContain(path);
			expect(stop.stderr).toMatch(one.cause);
		}
		// The command `info` prints all paths and needs none of them.
		const info = await runCommand(['info'], {home});
		expect([info.code, info.stderr]).toEqual([0, '']);
		expect(info.stdout).toContain(`${home.folder}/${SERVICE}`);
	},
);

test('the screens keep working and report it, too', {tags: 'short'}, async () => {
	await using home = await newHome();
	put(home, {what: 'lock', place: `${SERVICE}/instance.lock`, is: 'damage', cause: /./, serve: 77});
	await using terminal = await openProgram({home, columns: 200});
	await terminal.until(/lock file \S+ is damaged; it contains/);
});

const STATE = '.local/state/svc-tui';
const CODE = /\bE(?:ACCES|PERM|ROFS|NOSPC|NOTDIR|ISDIR|EXIST|NOENT)\b/;
const STATE_CURE = /set XDG_STATE_HOME to a folder you own/;

test.each([
	['the state folder', STATE, 'a file'],
	['its home', '.local/state', 'a file'],
	['the folder of pages', `${STATE}/opened`, 'a file'],
] as const)(
	'with a file in place of %s, commands that store data there continue or name cause and remedy',
	async (what, place, is) => {
		await using home = await newHome();
		put(home, {what, place, is, cause: /./, serve: null});
		await using served = await serve(home);
		const start = await served.run(['server', 'start', 'welcome', '--wait']);
		expect([start.code, start.stdout]).toEqual([0, expect.stringContaining('welcome is ready')]);
		expect(start.stderr).not.toMatch(CODE);
		if (place !== `${STATE}/opened`)
			expect(start.stderr).toMatch(/The rate cannot be saved to disk: .* is a file, not a folder; move/);
		const open = await served.run(['server', 'open', 'welcome'], {env: {BROWSER: 'true'}});
		expect([open.code, open.stdout]).toEqual([2, '']);
		expect(open.stderr).toMatch(/^Could not open the browser: \S[^\n]+\n--with-token prints the address/);
		expect(open.stderr).toMatch(STATE_CURE);
		expect(open.stderr).not.toMatch(CODE);
	},
);

test('if the state cannot be saved the screens keep working, and give the reason and the remedy', async () => {
	await using home = await newHome();
	put(home, {what: 'state', place: STATE, is: 'a file', cause: /./, serve: null});
	await using terminal = await openProgram({home, columns: 300});
	await terminal.until(/cannot be saved to disk: .* is a file, not a folder; move .* set XDG_STATE_HOME to/);
	expect(terminal.screen()).not.toMatch(CODE);
	await terminal.until(/welcome\s.*offline/);
	await startWelcome(terminal);
	await openRepl(terminal);
	const runBoth = async (): Promise<void> => {
		runCode(terminal, '40 + 2');
		await terminal.until(/\[1\] [^]*→ +42/);
		runCode(terminal, '41 + 2');
		await terminal.until(/\[2\] [^]*→ +43/);
	};
	// The notice appears once, and disappears after some seconds. On a busy machine the cells may
	// take longer than that.
	const [told] = await Promise.all([
		terminal.until(/Drafts cannot be saved \(.* set XDG_STATE_HOME to/),
		runBoth(),
	]);
	expect(told).not.toMatch(CODE);
});

test.each(['/proc/nothing', '/dev/null', ''])(
	'with HOME=%j nothing hangs: each answers with a sentence',
	async HOME => {
		await using home = await newHome();
		// HOME determines the folders if XDG variables are unset. If HOME is empty, they are the
		// real folders of the user, which tests must not touch.
		const env = {
			HOME,
			...Object.fromEntries(
				['CONFIG', 'DATA', 'STATE', 'CACHE'].map(name => [
					`XDG_${name}_HOME`,
					HOME === '' ? join(home.folder, name) : '',
				]),
			),
		};
		const info = await runCommand(['info'], {home, env});
		expect([info.code, info.stderr]).toEqual([0, '']);
		const command = await runCommand(['servers'], {home, env});
		if (HOME === '') expect([command.code, command.stderr]).toEqual([0, '']);
		else {
			expect([command.code, command.stderr]).toEqual([
				2,
				expect.stringMatching(/cannot be (used|read): .*HOME/),
			]);
			const serve = await runCommand(['serve', '--port', '0'], {home, env});
			expect([serve.code, serve.stderr]).toEqual([
				77,
				expect.stringMatching(/^The data folder \S+ cannot be created: .*name another one with --data\.\n$/),
			]);
		}
	},
);

test('a relative XDG folder is ignored, as the specification wants it', async () => {
	await using home = await newHome();
	const env = Object.fromEntries(
		['CONFIG', 'DATA', 'STATE', 'CACHE'].map(name => [`XDG_${name}_HOME`, 'rel']),
	);
	const command = await runCommand(['servers'], {home, env});
	expect([command.code, command.stderr]).toEqual([0, '']);
	expect((await runCommand(['info', '--json'], {home, env})).stdout).toContain(`${home.folder}/${SERVICE}`);
	expect((await runCommand(['info', '--json'], {home, env})).stdout).not.toContain('rel/');
});
