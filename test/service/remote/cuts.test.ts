// @module-tag long
import {expect, test} from 'vitest';
import {labMissing, startLab, type Lab} from '../../support/lab/lab.ts';
import {labHome, startCommand, type LabHome} from '../../support/lab-home.ts';
import {processesUsing} from '../../support/processes.ts';
import {waitFor} from '../../support/wait-for.ts';

const COUNT = 600;
const CODE = `import time\nfor n in range(${COUNT}):\n    print(n, flush=True); time.sleep(0.1)`;
const ALL = Array.from({length: COUNT}, (_, n) => `${n}\n`).join('');

const signalMaster = async (home: LabHome, signal: NodeJS.Signals): Promise<number> => {
	const masters = await waitFor(async () => {
		const found = (await processesUsing(home.folder)).filter(({command}) =>
			/ -M .*-N .*\blab$/.test(command.trim()),
		);
		expect(found).toHaveLength(1);
		return found;
	});
	for (const {pid} of masters) process.kill(pid, signal);
	return masters[0]?.pid ?? 0;
};

const stateOf = async ({
	checked,
}: LabHome): Promise<{status: string; status_reason?: string; url: string}> => {
	const servers = JSON.parse(await checked('servers', '--json')) as readonly {
		name: string;
		status: string;
		url: string;
	}[];
	const found = servers.find(({name}) => name === 'gp');
	if (!found) throw new Error('no server gp');
	return found;
};

/**
 * Suspends or resumes all processes of sshd, to simulate a lost network. All, because a listening
 * process that continues would accept the next connection.
 */
const freeze = async (lab: Lab, signal: 'STOP' | 'CONT'): Promise<void> => {
	expect((await lab.root('pkill', `-${signal}`, '-x', 'sshd')).code).toBe(0);
};

test.skipIf(labMissing !== null)(
	'a cell prints each line once while the connection is killed, frozen and stopped',
	async () => {
		await using lab = await startLab();
		await using home = await labHome(lab);
		home.offerLoginNode('lab');
		await home.checked('ssh', 'add', 'lab');
		const create = ['server', 'create', 'gp', '--environment', 'lab-python3', '--compute', 'lab-cpux0'];
		await home.checked(...create, '--wait');
		const {url} = await stateOf(home);
		const cell = startCommand(home, 'run', 'gp', '-c', CODE);
		const printed = (line: number) => waitFor(() => expect(cell.output()).toContain(`\n${line}\n`));
		await printed(10);

		// The ssh client is killed, and its socket file remains.
		await signalMaster(home, 'SIGKILL');
		const reached = cell.output().split('\n').length;
		await printed(reached + 5);

		// The ssh client is suspended for a while, as when a laptop's lid is closed.
		const master = await signalMaster(home, 'SIGSTOP');
		await freeze(lab, 'STOP');
		await waitFor(async () => expect((await stateOf(home)).status).toBe('ready'));
		process.kill(master, 'SIGCONT');

		// The host no longer answers.
		const away = await waitFor(async () => {
			const state = await stateOf(home);
			expect(state.status).toBe('unreachable');
			return state;
		});
		expect(away.status_reason).toMatch(
			/^No connection to lab since \d\d:\d\d\. Its kernel keeps running; trying again\.$/,
		);
		expect(away.url).toBe(url);
		await waitFor(() => expect(cell.errors()).toContain('No connection to lab since '));
		await freeze(lab, 'CONT');
		await waitFor(async () => expect((await stateOf(home)).status).toBe('ready'));
		expect(await cell.ended).toBe(0);
		expect(cell.output()).toBe(ALL);
		expect((await stateOf(home)).url).toBe(url);

		// The service of the next command finds the server again, even after the previous service
		// was killed.
		await home.checked('run', 'gp', '-c', 'x = 1');
		expect(await home.checked('run', 'gp', '-c', 'print(x)')).toBe('1\n');
		await home.checked('server', 'stop', 'gp');
	},
);
