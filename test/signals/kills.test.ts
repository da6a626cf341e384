// @module-tag long
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test, vi} from 'vitest';
import {createClient} from '../../src/api/client.ts';
import {isFolderInUse} from '../../src/settings/instance-lock.ts';
import {keyFile, readInstance} from '../../src/settings/instance.ts';
import {startWelcome} from '../journeys/steps.ts';
import {serviceFolder} from '../support/folders.ts';
import {pressAction} from '../support/press-action.ts';
import {processesUsing} from '../support/processes.ts';
import {newHome, openProgram, runCommand, type Home} from '../support/program.ts';
import {createRandom, newSeed} from '../support/random.ts';
import type {Terminal} from '../support/terminal.ts';
import {waitFor} from '../support/wait-for.ts';
import {draftTexts} from './drafts-of.ts';

/** Minimum number of successful writes of each kind; with fewer, the test proves nothing. */
const FEWEST_WRITES = 3;
/** Number of kills; more of them with `npm run soak -- kills`. */
const KILLS = process.env['SVC_SOAK'] ? 100 : 30;
const LINES = 131_072;
const VICTIMS = ['program', 'second program', 'service', 'engine'] as const;
type Victim = (typeof VICTIMS)[number];

/** A version of a file: each line contains the version's number, 1 MiB in all. */
const version = (number: number): string => `${String(number % 10_000_000).padStart(7, '0')}\n`.repeat(LINES);

/** Code that rewrites a file atomically, repeatedly for a while. */
const REWRITE = `
import os, time
end = time.monotonic() + 0.7
number = 0
while time.monotonic() < end:
    number += 1
    with open('loop.new', 'w') as file:
        file.write(f'{number:07d}\\n' * ${LINES})
    os.replace('loop.new', 'loop.txt')
`;

const below = (folder: string): readonly string[] =>
	existsSync(folder)
		? readdirSync(folder, {recursive: true, withFileTypes: true})
				.filter(entry => entry.isFile())
				.map(entry => join(entry.parentPath, entry.name))
		: [];

/**
 * Checks the two files that are written all the time, and returns the faults. Each file must be
 * missing, or contain exactly one version.
 */
const createLook = (home: Home) => {
	const seen = new Set<string>();
	return (): string | undefined => {
		const files = below(join(serviceFolder(home), 'servers')).filter(path => /(big|loop)\.txt$/.test(path));
		for (const file of files) {
			const content = readFileSync(file, 'utf8');
			if (content !== content.slice(0, 8).repeat(LINES))
				return `${file} is no version: ${content.length} characters, begins with ${JSON.stringify(content.slice(0, 20))}, ends with ${JSON.stringify(content.slice(-20))}`;
			seen.add(file);
		}
		return seen.size === files.length ? undefined : `${[...seen].join(' or ')} is gone`;
	};
};

const pidOf = async (home: Home, victim: 'service' | 'engine'): Promise<number | undefined> => {
	const pattern = victim === 'service' ? /boot\.js serve/ : /engine\.js/;
	return (await processesUsing(home.folder)).find(({command}) => pattern.test(command))?.pid;
};

test(`${KILLS} kills at random moments leave no process, no lock and no half of anything`, async () => {
	const random = createRandom(newSeed());
	const killed: Victim[] = [];
	const history = (): string => `SEED=${random.seed}, killed: ${killed.join(', ')}`;
	await using home = await newHome();
	const mixed = createLook(home);
	const open = async (): Promise<Terminal> => openProgram({home, columns: 100, rows: 30});
	const programs: Record<'program' | 'second program', Terminal> = {
		program: await open(),
		'second program': await open(),
	};

	const stop = new AbortController();
	const outcomes = {put: 0, quickPut: 0, run: 0, failed: 0};
	const hasWritten = (): boolean => Math.min(outcomes.quickPut, outcomes.run) > FEWEST_WRITES;
	const command = async (kind: 'put' | 'run', args: readonly string[], input = ''): Promise<void> => {
		const {code} = await runCommand(args, {home, input});
		outcomes[code === 0 ? kind : 'failed']++;
	};
	let written = 0;
	/**
	 * Uploads without the command, repeatedly until the service has ended, because a command spends
	 * most of its time starting.
	 */
	const putQuickly = async (): Promise<void> => {
		const instance = readInstance(serviceFolder(home));
		if (instance === null) return;
		const client = createClient({
			baseUrl: instance.url,
			apiKey: readFileSync(keyFile(serviceFolder(home)), 'utf8'),
		});
		while (!stop.signal.aborted) {
			const reply = await client.putFile('welcome', 'big.txt', {
				content: version(++written),
				format: 'text',
				type: 'file',
			});
			if (!reply.ok) return;
			outcomes.quickPut++;
		}
	};
	const put = async (): Promise<void> => {
		const local = join(home.folder, 'local.txt');
		while (!stop.signal.aborted) {
			await writeFile(local, version(++written));
			await command('put', ['files', 'put', 'welcome', local, 'big.txt']);
			await putQuickly();
		}
	};
	const run = async (): Promise<void> => {
		while (!stop.signal.aborted) await command('run', ['run', 'welcome', '-'], REWRITE);
	};
	let found: string | undefined;
	/** Checks that a reader sees a complete version at any other moment too. */
	const look = async (): Promise<void> => {
		for (const often = createRandom(random.seed); !stop.signal.aborted; await often.pause(40))
			found ??= mixed();
	};
	const work = Promise.all([put(), run(), look()]);
	/** Waits until a run ends. Earlier kills may prevent that; the kills then continue anyway. */
	const aRunEnds = async (timeout: number): Promise<void> => {
		const before = outcomes.run;
		await vi
			.waitFor(() => expect(outcomes.run).toBeGreaterThan(before), {timeout, interval: 20})
			.catch(() => {});
	};

	const kill = async (victim: Victim): Promise<boolean> => {
		if (victim === 'service' || victim === 'engine') {
			const pid = await pidOf(home, victim);
			if (pid === undefined) return false;
			try {
				process.kill(pid, 'SIGKILL');
				return true;
			} catch {
				// The process has ended since the check.
				return false;
			}
		}
		programs[victim].kill('SIGKILL');
		await programs[victim].exit;
		await programs[victim][Symbol.asyncDispose]();
		programs[victim] = await open();
		return true;
	};

	try {
		// Many kills in a row may leave a slow machine too little time for runs, because each
		// engine needs seconds to start. In that case, further kills follow, one after each run.
		while (killed.length < KILLS || !hasWritten()) {
			// Kills several times in a row, with an occasional pause as long as a run takes on this
			// machine.
			if (killed.length >= KILLS) await aRunEnds(60_000);
			else if (random.below(4) === 0) await aRunEnds(10_000);
			else await random.pause(400);
			const victim = random.pick(VICTIMS);
			if (await kill(victim)) killed.push(victim);
			expect(found ?? mixed(), history()).toBeUndefined();
			// Types a draft into each program that shows a prompt, as data that could be lost.
			// Elsewhere the character has no effect.
			for (const terminal of Object.values(programs)) {
				if (terminal.screen().includes('>>>')) terminal.type('('.repeat(1 + random.below(5)));
				else pressAction(terminal, 'anywhere', 'repl');
			}
			draftTexts(home);
		}
	} finally {
		stop.abort();
		for (const terminal of Object.values(programs)) {
			terminal.kill('SIGKILL');
			await terminal.exit;
			await terminal[Symbol.asyncDispose]();
		}
		await work;
	}
	await waitFor(async () => expect(await processesUsing(home.folder), history()).toEqual([]), {interval: 50});
	expect(isFolderInUse(serviceFolder(home)), history()).toBe(false);
	expect(mixed(), history()).toBeUndefined();

	// The next start must find everything in order and remove leftovers of the kills.
	{
		// The location of the killed program is restored, which is a prompt.
		await using terminal = await openProgram({home, args: ['--fresh'], columns: 100, rows: 30});
		await startWelcome(terminal);
		pressAction(terminal, 'global', 'quit');
		await expect(terminal.exit).resolves.toMatchObject({code: 0});
	}
	await waitFor(async () => expect(await processesUsing(home.folder), history()).toEqual([]), {interval: 50});
	const {stdout} = await runCommand(['servers', '--json'], {home});
	expect(
		(JSON.parse(stdout) as ReadonlyArray<{name: string}>).map(({name}) => name),
		history(),
	).toEqual(['welcome']);
	expect(
		below(serviceFolder(home)).filter(path => /\.tmp$|instance\.json\./.test(path)),
		history(),
	).toEqual([]);
	expect(
		below(join(home.folder, '.local/state')).filter(path => path.endsWith('.tmp')),
		history(),
	).toEqual([]);
	for (const text of draftTexts(home)) expect(text, history()).toMatch(/^\(+$/);
	console.log(
		`${killed.length} kills: ${VICTIMS.map(victim => `${victim} ${killed.filter(each => each === victim).length}`).join(', ')}; commands: ${JSON.stringify(outcomes)}`,
	);
}, 600_000);
