// @module-tag long
// Arguments, environments, jobs and job scripts hold no secret of a server for other users of the
// host. Slurm's controller is then away for a minute.
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {labMissing, startLab, type Lab} from '../../support/lab/lab.ts';
import {labHome, startCommand, startPlainAndJob, type LabHome} from '../../support/lab-home.ts';
import {waitFor} from '../../support/wait-for.ts';

type Listed = {readonly name: string; readonly status: string; readonly status_reason?: string};

const AWAY_S = 60;

const listed = async ({checked}: LabHome): Promise<readonly Listed[]> =>
	JSON.parse(await checked('servers', '--json')) as readonly Listed[];
const tokensOf = ({folder}: LabHome): readonly string[] => {
	const store = readFileSync(join(folder, '.local/share/svc-tui/service/remote.json'), 'utf8');
	return [...store.matchAll(/(?<="token": ")[0-9a-f]{48}/g)].map(([token]) => token);
};
/** Arguments and environments of all processes, as root sees them, and job descriptions. */
const visible = async (lab: Lab, jobs: readonly string[]): Promise<string> => {
	const script = [
		'cat /proc/[0-9]*/cmdline /proc/[0-9]*/environ 2>/dev/null | tr "\\0" "\\n"',
		...jobs.flatMap(job => [`scontrol -d show job ${job}`, `scontrol write batch_script ${job} -`]),
	].join('; ');
	const {stdout} = await lab.root('sh', '-c', script);
	// The servers are among the processes, and the scripts below them.
	expect(stdout).toContain('SVC_RUN=');
	expect(stdout).toContain('JobName=svc-');
	expect(stdout).toContain('exec ./run.sh');
	return stdout;
};

test.skipIf(labMissing !== null)(
	'no token can be read by others, and a controller that is away for a minute ends no server',
	async () => {
		await using lab = await startLab();
		await using home = await labHome(lab);
		const {checked} = home;
		await startPlainAndJob(home);
		// The node of this user's job is reached through srun.
		await checked('ssh', 'add', 'lab-bob');
		const how = ['--environment', 'lab-bob-python3', '--compute', 'lab-bob-gpu-cpux0', '--wait'];
		await checked('server', 'create', 'inside', ...how);
		const names = ['plain', 'job', 'inside'];
		for (const name of names) await checked('run', name, '-c', 'x = 1');

		const {stdout} = await lab.root('squeue', '-h', '-o', '%A');
		const jobs = stdout.trim().split('\n');
		expect(jobs).toHaveLength(2);
		const tokens = tokensOf(home);
		expect(tokens).toHaveLength(3);
		const seen = await visible(lab, jobs);
		for (const token of tokens) expect(seen.includes(token)).toBe(false);
		for (const job of jobs)
			expect((await lab.as('carol', `scontrol write batch_script ${job} -`)).stdout).toBe('');
		const environments = 'cat $(grep -l SVC_RUN /proc/[0-9]*/environ 2>/dev/null) </dev/null';
		expect((await lab.as('carol', environments)).stdout).toBe('');
		for (const user of ['alice', 'bob'] as const) {
			const look = `ls -R ${lab.home(user)}/.local/share/svc-tui`;
			expect((await lab.as('carol', look)).stdout).toBe('');
		}

		// Each cell prints a line per second. They start before the controller is away, because
		// a new service could not connect to bob's job: that needs srun.
		const count = AWAY_S + 5;
		const code = `import time\nfor n in range(${count}):\n    print(n, flush=True); time.sleep(1)`;
		const cells = names.map(name => ({name, ...startCommand(home, 'run', name, '-c', code)}));
		const prints = async (second: number): Promise<void> => {
			for (const {name, output, errors} of cells)
				await waitFor(() => expect(output(), `${name}: ${errors()}`).toContain(`${second}\n`));
		};
		await prints(0);
		await lab.stopController();
		for (let second = 0; second < AWAY_S; second += 5) {
			await prints(second);
			const found = (await listed(home)).filter(({name}) => names.includes(name));
			expect(found.map(({name, status}) => [name, status])).toEqual(names.map(name => [name, 'ready']));
		}
		await lab.startController();
		const all = Array.from({length: count}, (_, n) => `${n}\n`).join('');
		for (const cell of cells) {
			expect(await cell.ended).toBe(0);
			expect(cell.output()).toBe(all);
		}
		expect((await lab.root('squeue', '-h', '-o', '%A')).stdout.trim().split('\n').sort()).toEqual(
			jobs.sort(),
		);
		for (const name of names) await checked('server', 'stop', name);
		expect((await lab.root('squeue', '-h', '-o', '%A')).stdout).toBe('');
	},
);
