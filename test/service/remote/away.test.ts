// @module-tag long
import {expect, test} from 'vitest';
import {labMissing, startLab} from '../../support/lab/lab.ts';
import {labHome, startCommand} from '../../support/lab-home.ts';
import {waitFor} from '../../support/wait-for.ts';

const LATE = String.raw`gp is not connected yet\. Last seen .*; connecting to lab\.`;
const AWAY = String.raw`gp cannot be reached now\. No connection to lab since \d\d:\d\d\. Its kernel keeps running; trying again\.`;
const WAITS = String.raw` This command waits for up to 5 minutes; Ctrl-C ends it\.\n`;
/** The report of a slow connection comes first. */
const REPORT = `^(?:${AWAY}${WAITS}|${LATE}${WAITS}${AWAY}\\n)`;

test.skipIf(labMissing !== null)(
	'run says since when the host of its server is out of reach, waits, and ends when asked',
	async () => {
		await using lab = await startLab();
		await using home = await labHome(lab);
		home.offerLoginNode('lab');
		await home.checked('ssh', 'add', 'lab');
		const create = ['server', 'create', 'gp', '--environment', 'lab-python3', '--compute', 'lab-cpux0'];
		await home.checked(...create, '--wait');
		await home.checked('run', 'gp', '-c', 'x = 1');

		await lab.cutLogin();
		const asked = startCommand(home, 'run', 'gp', '-c', 'print(x)');
		await waitFor(() => expect(asked.errors()).toMatch(new RegExp(`${REPORT}$`)));
		asked.child.kill('SIGINT');
		expect(await asked.ended).toBe(130);
		expect(asked.output()).toBe('');

		const waits = startCommand(home, 'run', 'gp', '-c', 'print(x)');
		await waitFor(() => expect(waits.errors()).toMatch(new RegExp(REPORT)));
		await lab.restoreLogin();
		expect(await waits.ended).toBe(0);
		expect(waits.output()).toBe('1\n');
		expect(waits.errors()).toMatch(new RegExp(`${REPORT}gp can be reached again\\.\\n$`));
		await home.checked('server', 'stop', 'gp');
	},
);
