// @module-tag long
// The login node of a cluster restarts, which ends only its own servers. Also tests login shells of
// users.
import {expect, test} from 'vitest';
import {labMissing, startLab} from '../../support/lab/lab.ts';
import {labHome, startPlainAndJob} from '../../support/lab-home.ts';
import {waitFor} from '../../support/wait-for.ts';

type Listed = {readonly name: string; readonly status: string; readonly status_reason?: string};

test.skipIf(labMissing !== null)(
	'a job and its kernel outlive a restart of the login node, and a server on that node does not',
	async () => {
		await using lab = await startLab();
		await using home = await labHome(lab);
		const {checked} = home;
		await startPlainAndJob(home);
		for (const name of ['plain', 'job']) await checked('run', name, '-c', 'x = 1');
		await lab.restartLogin();
		expect(await checked('run', 'job', '-c', 'print(x)')).toBe('1\n');
		await waitFor(
			async () =>
				expect(JSON.parse(await checked('servers', '--json')) as readonly Listed[]).toContainEqual(
					expect.objectContaining({
						name: 'plain',
						status: 'offline',
						status_reason: 'The server process on lab has ended. Files are kept.',
					}),
				),
			{interval: 300},
		);
		await checked('server', 'stop', 'job');
	},
);

test.skipIf(labMissing !== null)(
	'an alias that leads to another login node reaches jobs, and neither ends nor stops a server of the first',
	async () => {
		await using lab = await startLab();
		await using home = await labHome(lab);
		const {checked, run} = home;
		await startPlainAndJob(home);
		for (const name of ['plain', 'job']) await checked('run', name, '-c', 'x = 1');
		await checked('local', 'stop');

		// Both machines share the home folders, and an sshd of each uses the same port.
		const sshd = (name: string) =>
			lab.root(
				'unshare',
				'--uts',
				'sh',
				'-c',
				`hostname ${name}; exec /usr/sbin/sshd -f ${lab.folder}/etc/sshd_config.login1`,
			);
		await lab.cutLogin();
		expect(await sshd('login2')).toMatchObject({code: 0});
		expect(await checked('run', 'job', '-c', 'print(x)')).toBe('1\n');
		const elsewhere =
			/^The server runs on login1, but lab leads to another machine now: name login1 in ~\/\.ssh\/config, or stop it there\.$/;
		const until = (status: string, reason?: RegExp) =>
			waitFor(
				async () =>
					expect(JSON.parse(await checked('servers', '--json')) as readonly Listed[]).toContainEqual(
						expect.objectContaining({
							...{name: 'plain', status},
							...(reason && {status_reason: expect.stringMatching(reason) as string}),
						}),
					),
				{interval: 300},
			);
		await until('unreachable', elsewhere);
		const stopped = await run('server', 'stop', 'plain');
		expect([stopped.code === 0, stopped.stderr]).toEqual([
			false,
			expect.stringContaining(
				'plain was not stopped. The server runs on login1, but lab leads to another machine now',
			),
		]);
		await until('unreachable', /^The server runs on login1/);

		await checked('local', 'stop');
		await lab.cutLogin();
		await lab.restoreLogin();
		await until('ready');
		expect(await checked('run', 'plain', '-c', 'print(x)')).toBe('1\n');
		for (const name of ['plain', 'job']) await checked('server', 'stop', name);
	},
);

/** Startup files of login shells that start another shell, print text, or read their input. */
const NOISE: Readonly<Record<string, string>> = {
	finn: `mkdir -p .config/fish; echo 'echo "Willkommen, schön"; date' >.config/fish/config.fish`,
	carol: `echo 'echo noise; echo "more noise"' >.cshrc`,
	zoe: `echo 'echo noise; read -t 1 line' >.zshenv`,
	dash: `echo 'echo noise' >.profile`,
	bob: `echo 'echo noise; read -t 1 line; echo "read: $line"' >.bashrc`,
};

test.skipIf(labMissing !== null)(
	'login shells of each kind run a server despite their noise, and one that starts another is refused',
	async () => {
		await using lab = await startLab();
		await using home = await labHome(lab);
		const {checked, run} = home;
		for (const [user, script] of Object.entries(NOISE)) {
			expect(await lab.as(user as 'bob', script)).toMatchObject({code: 0});
			const host = `lab-${user}`;
			home.offerLoginNode(host);
			await checked('ssh', 'add', host);
			const how = ['--environment', `${host}-python3`, '--compute', `${host}-cpux0`, '--wait'];
			await checked('server', 'create', user, ...how);
			expect(await checked('run', user, '-c', 'import getpass; print(getpass.getuser())')).toBe(`${user}\n`);
			await checked('server', 'stop', user);
		}
		await lab.as('alice', `echo 'exec fish' >.bashrc`);
		expect((await run('ssh', 'add', 'lab')).stderr).toContain(
			'The login shell of lab starts another shell before it reads its input, for example by exec in ~/.bashrc',
		);
	},
);
