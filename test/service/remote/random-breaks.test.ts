// @module-tag long
// Detached runs on a host and in a job, while connections, daemons, services and commands end at
// random.
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {labMissing, startLab, type Lab} from '../../support/lab/lab.ts';
import {labHome, startCommand, type LabHome, type RunningCommand} from '../../support/lab-home.ts';
import {processesUsing} from '../../support/processes.ts';
import {createRandom, newSeed} from '../../support/random.ts';
import {waitFor} from '../../support/wait-for.ts';

/** The long form is `npm run soak -- remote`. */
const ROUNDS = process.env['SVC_SOAK'] ? 60 : 6;
const PAUSE_MS = 1500;
const SERVERS = {plain: 'lab-cpux0', job: 'lab-gpu-cpux0'} as const;

/** Counts until it finds a file. The folder of both servers is the same. */
const COUNTING = `import os, time
n = 0
while not os.path.exists("over"):
    print(n, flush=True)
    n += 1
    time.sleep(0.05)
print("over")
`;

const killAll = async (home: LabHome, command: RegExp): Promise<void> => {
	for (const {pid, command: found} of await processesUsing(home.folder))
		if (command.test(found)) process.kill(pid, 'SIGKILL');
};
const BREAKS = ['client', 'sessions', 'network', 'service', 'command'] as const;
const breakBy = async (
	what: (typeof BREAKS)[number],
	lab: Lab,
	home: LabHome,
	pause: () => Promise<void>,
): Promise<void> => {
	if (what === 'client') await killAll(home, / -M .*-N .*\blab$/);
	if (what === 'sessions') await lab.root('pkill', '-KILL', '-u', 'alice', '-x', 'sshd');
	if (what === 'service') await killAll(home, /boot\.js serve/);
	if (what !== 'network') return;
	await lab.cutLogin();
	await pause();
	await lab.restoreLogin();
};
const expectOutput = (attached: RunningCommand, history: string): Promise<void> =>
	waitFor(() => expect(attached.output(), `${history}\n${attached.errors()}`).toContain('\n'));

test.skipIf(labMissing !== null)(
	`${ROUNDS} breaks at random lose no line of two detached runs, and no kernel`,
	async () => {
		const random = createRandom(newSeed());
		await using lab = await startLab();
		await using home = await labHome(lab);
		home.offerLoginNode('lab');
		await home.checked('ssh', 'add', 'lab');
		const script = join(home.folder, 'count.py');
		writeFileSync(script, COUNTING);
		const ids: string[] = [];
		for (const [name, compute] of Object.entries(SERVERS)) {
			const more = ['--environment', 'lab-python3', '--compute', compute, '--wait'];
			await home.checked('server', 'create', name, ...more);
			await home.checked('run', name, '-c', `x = "${name}"`);
			ids.push((await home.checked('run', name, script, '--detach')).trim());
		}

		const done: string[] = [];
		const history = (): string => `SEED=${random.seed}: ${done.join(', ')}`;
		for (let round = 0; round < ROUNDS; round++) {
			const id = random.pick(ids);
			const attached = startCommand(home, 'run', '--attach', id);
			await expectOutput(attached, history());
			await random.pause(PAUSE_MS);
			const what = random.pick(BREAKS);
			done.push(`${what} of ${id}`);
			await breakBy(what, lab, home, () => random.pause(PAUSE_MS));
			await random.pause(PAUSE_MS);
			attached.child.kill('SIGKILL');
			await attached.ended;
		}

		expect(await lab.as('alice', 'touch over')).toMatchObject({code: 0});
		for (const id of ids) {
			const last = startCommand(home, 'run', '--attach', id);
			expect(await last.ended, `${history()}\n${last.errors()}`).toBe(0);
			const lines = last.output().trimEnd().split('\n');
			expect(lines.length, history()).toBeGreaterThan(ROUNDS);
			expect(lines, history()).toEqual([...lines.slice(1).map((_, at) => String(at)), 'over']);
		}
		for (const name of Object.keys(SERVERS)) {
			expect(await home.checked('run', name, '-c', 'print(x)')).toBe(`${name}\n`);
			await home.checked('server', 'stop', name);
		}
		expect((await lab.root('pgrep', '-u', 'alice', '-af', 'jupyter|ipykernel')).stdout).toBe('');
	},
);
