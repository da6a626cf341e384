// @module-tag long
// Servers that a user's first machine has started, and a second machine of the user takes over.
import {expect, test} from 'vitest';
import {labMissing, startLab} from '../../support/lab/lab.ts';
import {labHome, startCommand, type LabHome} from '../../support/lab-home.ts';
import {waitFor} from '../../support/wait-for.ts';

type Left = {
	readonly id: string;
	readonly name: string;
	readonly state: string;
	readonly here: string | null;
};

const leftOn = async ({checked}: LabHome, host: string): Promise<readonly Left[]> =>
	JSON.parse(await checked('ssh', 'list', host, '--json')) as readonly Left[];

/** Code that prints numbered lines, a few each second. */
const COUNT = 'import time\nfor n in range(40):\n\tprint("line", n, flush=True)\n\ttime.sleep(0.2)';
const numbers = (text: string): readonly number[] =>
	[...text.matchAll(/^line (\d+)$/gm)].map(([, number]) => Number(number));

test.skipIf(labMissing !== null)(
	'a server started at one machine is found and taken over at another, with its kernel',
	async () => {
		await using lab = await startLab();
		await using office = await labHome(lab);
		await using laptop = await labHome(lab);
		for (const home of [office, laptop]) {
			home.offerLoginNode('lab');
			await home.checked('ssh', 'add', 'lab');
		}
		expect((await laptop.run('ssh', 'list', 'lab')).stderr).toContain('You have no servers on lab.');
		for (const [name, compute] of [
			['plain', 'lab-cpux0'],
			['job', 'lab-gpu-a100x1'],
		] as const)
			await office.checked(
				...['server', 'create', name, '--environment', 'lab-python3'],
				...['--compute', compute, '--wait'],
			);
		for (const name of ['plain', 'job']) await office.checked('run', name, '-c', `x = "${name}"`);

		const found = await leftOn(laptop, 'lab');
		expect(found).toHaveLength(2);
		const [job, plain] = found;
		expect(job).toMatchObject({
			...{name: 'job', state: 'ready', here: null, root: lab.home('alice')},
			job: expect.stringMatching(/^\d+$/) as string,
		});
		expect(plain).toMatchObject({name: 'plain', state: 'ready', here: null, job: null});
		expect(JSON.stringify(found)).not.toMatch(/[0-9a-f]{48}/);
		const table = await laptop.run('ssh', 'list', 'lab');
		expect(table.stdout).toMatch(/^ID +NAME +STATE +SINCE +JOB +ROOT +FROM +HERE$/m);
		expect(table.stderr).toContain('ssh adopt lab');

		// Error messages that include the remedy.
		const refusal = async (home: LabHome, ...args: readonly string[]): Promise<string> => {
			const {code, stderr} = await home.run('ssh', 'adopt', ...args);
			expect(code).not.toBe(0);
			return stderr;
		};
		expect(await refusal(office, 'lab', 'plain')).toContain('is already in your list, as plain.');
		expect(await refusal(laptop, 'lab', 'nothing')).toContain(
			'You have no server nothing on lab: svc-tui ssh list lab shows yours.',
		);
		expect(await refusal(laptop, 'lab-bob', 'plain')).toContain('svc-tui ssh add lab-bob adds it.');

		for (const {id} of [plain, job] as readonly Left[]) await laptop.checked('ssh', 'adopt', 'lab', id);
		for (const name of ['plain', 'job'])
			await waitFor(
				async () => {
					const servers = JSON.parse(await laptop.checked('servers', '--json')) as readonly object[];
					expect(servers).toContainEqual(expect.objectContaining({name, status: 'ready'}));
				},
				{interval: 300},
			);
		// The kernels are the same as before.
		for (const name of ['plain', 'job'])
			expect(await laptop.checked('run', name, '-c', 'print(x)')).toBe(`${name}\n`);
		const counting = startCommand(laptop, 'run', 'job', '-c', COUNT);
		await waitFor(() => expect(counting.output()).toContain('line 5\n'));
		await lab.root('pkill', '-KILL', '-u', 'alice', 'sshd');
		expect(await counting.ended).toBe(0);
		expect(numbers(counting.output())).toEqual([...Array(40).keys()]);

		// A folder whose format this version does not know.
		const folder = `~/.local/share/svc-tui/remote/servers`;
		await lab.as('alice', `cp -r ${folder}/${plain?.id ?? ''} ${folder}/00000000000000aa`);
		expect(await refusal(laptop, 'lab', '00000000000000aa')).toContain(
			'was started by another version of svc-tui',
		);
		await lab.root('chown', '-R', 'bob', `${lab.home('alice')}/${folder.slice(2)}/00000000000000aa`);
		expect(await refusal(laptop, 'lab', '00000000000000aa')).toContain('belongs to another user');
		await lab.root('rm', '-rf', `${lab.home('alice')}/${folder.slice(2)}/00000000000000aa`);

		// Other tests use servers of the same user, so only the folders of these two are checked.
		const records = `${lab.home('alice')}/${folder.slice(2)}/*/where`;
		const sockets = [...(await lab.root('sh', '-c', `cat ${records}`)).stdout.matchAll(/\/tmp\/svc-\w{8}/g)];
		expect(sockets).toHaveLength(2);
		for (const name of ['plain', 'job'])
			expect(await laptop.checked('server', 'stop', name)).toBe(`${name} is offline: its files are kept.\n`);
		const {stdout: left} = await lab.root(
			'sh',
			'-c',
			`pgrep -u alice -af '${lab.home('alice')}'; ls -d ${sockets.join(' ')} 2>/dev/null; squeue -h -u alice`,
		);
		expect(left).toBe('');
		// The machine that started the servers detects that they have ended. Ended servers cannot
		// be taken over.
		await waitFor(
			async () => {
				const servers = JSON.parse(await office.checked('servers', '--json')) as readonly object[];
				for (const name of ['plain', 'job'])
					expect(servers).toContainEqual(expect.objectContaining({name, status: 'offline'}));
			},
			{interval: 300},
		);
		expect(await refusal(laptop, 'lab', 'plain')).toContain('plain on lab has ended');
	},
);
