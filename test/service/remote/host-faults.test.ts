// @module-tag long
// Hosts that lack a program, ask for more than a key, or are reached in other ways.
import {createHmac} from 'node:crypto';
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import type {LabUser} from '../../support/lab/lab-files.ts';
import {labMissing, startLab, type Lab} from '../../support/lab/lab.ts';
import {labHome, startCommand, type LabHome} from '../../support/lab-home.ts';
import {PROGRAM} from '../../support/program.ts';
import {openTerminal} from '../../support/terminal.ts';
import {waitFor} from '../../support/wait-for.ts';

type Listed = {readonly name: string; readonly status: string; readonly status_reason?: string};

const listed = async ({checked}: LabHome, name: string): Promise<Listed | undefined> =>
	(JSON.parse(await checked('servers', '--json')) as readonly Listed[]).find(each => each.name === name);
const configure = (home: LabHome, hosts: Readonly<Record<string, object>>): void => {
	const folder = join(home.folder, '.config/svc-tui');
	mkdirSync(folder, {recursive: true});
	const plain = Object.entries(hosts).map(([host, more]) => [host, {loginNode: true, ...more}]);
	writeFileSync(join(folder, 'settings.json'), JSON.stringify({hosts: Object.fromEntries(plain)}), {
		mode: 0o600,
	});
};
const create = (name: string, host: string): readonly string[] => [
	...['server', 'create', name],
	...['--environment', `${host}-python3`, '--compute', `${host}-cpux0`],
];
/** Server processes of a user of the lab. */
const processesOf = async (lab: Lab, user: LabUser): Promise<string> =>
	(await lab.root('pgrep', '-u', user, '-af', 'jupyter|ipykernel|svc-tui/remote|sleep 3600')).stdout;

const SECRET = '3132333435363738393031323334353637383930';
/** The one-time password of RFC 4226 for a counter. */
const codeOf = (counter: number): string => {
	const message = Buffer.alloc(8);
	message.writeBigUInt64BE(BigInt(counter));
	const hash = createHmac('sha1', Buffer.from(SECRET, 'hex')).update(message).digest();
	const number = hash.readUInt32BE((hash.at(-1) ?? 0) & 0xf) & 0x7fff_ffff;
	return String(number % 1_000_000).padStart(6, '0');
};
/** Starts an sshd that requires a key and a one-time password. */
const addCodedHost = async (lab: Lab): Promise<void> => {
	const users = join(lab.folder, 'etc/users.oath');
	writeFileSync(users, `HOTP alice - ${SECRET}\n`, {mode: 0o600});
	const pam = join(lab.folder, 'etc/pam.sshd');
	writeFileSync(
		pam,
		`auth requisite pam_oath.so usersfile=${users} digits=6 window=20\naccount required pam_permit.so\nsession required pam_permit.so\n`,
	);
	expect(await lab.root('mount', '--bind', pam, '/etc/pam.d/sshd')).toMatchObject({code: 0});
	await lab.addSshd(
		'coded',
		'alice',
		'UsePAM yes\nKbdInteractiveAuthentication yes\nAuthenticationMethods publickey,keyboard-interactive',
	);
};

test.skipIf(labMissing !== null)(
	'hosts of two users, behind another host, with a code, without Jupyter, and with a full home',
	async () => {
		await using lab = await startLab();
		await addCodedHost(lab);
		await using home = await labHome(lab);
		const {checked, run} = home;
		configure(home, {lab: {}, 'lab-bob': {}, behind: {}, coded: {}});

		// Two users on one machine, and a machine that is reached through it.
		for (const host of ['lab', 'lab-bob', 'behind']) await checked('ssh', 'add', host);
		for (const [name, host] of [
			['a', 'lab'],
			['b', 'lab-bob'],
			['c', 'behind'],
		] as const)
			await checked(...create(name, host), '--wait');
		const who = 'import getpass, socket; print(getpass.getuser(), socket.gethostname())';
		expect(await checked('run', 'a', '-c', who)).toBe('alice login1\n');
		expect(await checked('run', 'b', '-c', who)).toBe('bob login1\n');
		expect(await checked('run', 'c', '-c', who)).toBe('alice n1\n');
		for (const name of ['a', 'b', 'c']) await checked('server', 'stop', name);
		for (const user of ['alice', 'bob'] as const) expect(await processesOf(lab, user)).toBe('');

		// The user signs in once, in a terminal.
		const locked = await run('ssh', 'add', 'coded');
		expect(locked.stderr).toContain('coded asks for a password or a code: run svc-tui ssh login coded once');
		expect(locked.code).not.toBe(0);
		{
			await using terminal = await openTerminal({
				command: [PROGRAM, 'ssh', 'login', 'coded'],
				env: home.env,
				cwd: home.folder,
			});
			await terminal.until(/One-time password/);
			terminal.type(`${codeOf(0)}\r`);
			expect(await terminal.exit).toMatchObject({code: 0});
		}
		await checked(...create('d', 'coded'), '--wait');
		expect(await checked('run', 'd', '-c', who)).toBe('alice login1\n');
		await checked('server', 'stop', 'd');

		// The Python that this login shell finds has no packages.
		await lab.as(
			'zoe',
			`mkdir bin; printf '#!/bin/sh\\nexec /usr/bin/python3 -I -S "$@"\\n' >bin/python3; chmod 755 bin/python3; echo 'export PATH=$HOME/bin:$PATH' >.zshenv`,
		);
		configure(home, {'lab-zoe': {}, coded: {}});
		const bare = await run('ssh', 'add', 'lab-zoe');
		const why =
			/No Python on lab-zoe has Jupyter Server and ipykernel\. Found: \S+\/bin\/python3 3\.\d+\.\d+\./;
		expect(bare.stdout + bare.stderr).toMatch(why);
		const refused = await run('server', 'create', 'e', '--environment', 'ai', '--compute', 'lab-zoe-cpux0');
		expect(refused.code).not.toBe(0);
		expect(refused.stderr).toMatch(why);

		// The user's quota is used up.
		const carol = lab.home('carol');
		const full = `cp -a ${carol} ${carol}.old && mount -t tmpfs -o size=64k,mode=700,uid=20004,gid=20004 none ${carol} &&
			cp -a ${carol}.old/.ssh ${carol}/ && ! dd if=/dev/zero of=${carol}/fill bs=1k count=100`;
		expect(await lab.root('sh', '-c', full)).toMatchObject({code: 0});
		configure(home, {'lab-carol': {}, coded: {}});
		const spaceless = await run('ssh', 'add', 'lab-carol');
		expect(spaceless.stdout + spaceless.stderr).toContain(
			'Nothing can be written in your home on lab-carol (quota of bytes or of files): make room there.',
		);
		await checked('ssh', 'remove', 'coded').catch(() => undefined);
	},
);

test.skipIf(labMissing !== null)(
	'a start that never listens is cancelled, or ended with its reason, and leaves nothing',
	async () => {
		await using lab = await startLab();
		await using home = await labHome(lab);
		const {checked} = home;
		configure(home, {'lab-dash': {setup: 'echo waiting for a licence\nsleep 3600'}});
		await checked('ssh', 'add', 'lab-dash');
		await checked(...create('gp', 'lab-dash'));
		await waitFor(async () => expect(await processesOf(lab, 'dash')).toContain('sleep 3600'));
		expect(await listed(home, 'gp')).toMatchObject({status: 'starting'});
		expect(await checked('server', 'stop', 'gp')).toContain('gp is offline');
		expect(await processesOf(lab, 'dash')).toBe('');

		await checked('server', 'start', 'gp');
		await waitFor(async () => expect(await processesOf(lab, 'dash')).toContain('sleep 3600'));
		const begun = '~/.local/share/svc-tui/remote/servers/*/begun';
		expect(await lab.as('dash', `touch -d '16 minutes ago' ${begun}`)).toMatchObject({code: 0});
		await waitFor(
			async () =>
				expect(await listed(home, 'gp')).toMatchObject({
					status: 'error',
					status_reason:
						'Jupyter Server did not listen within 15 minutes; its last line: waiting for a licence. Check the setup lines and the Python.',
				}),
			{interval: 300},
		);
		expect(await processesOf(lab, 'dash')).toBe('');
	},
);

/** Fake Jupyter Server that opens its socket and never answers. */
const MUTE = `import os, socket, time
mute = socket.socket(socket.AF_UNIX)
mute.bind(os.environ["SVC_PLACE"] + "/s")
mute.listen()
time.sleep(3600)
`;
const recordsOf = ({folder}: LabHome): string => join(folder, '.local/share/svc-tui/service/remote.json');
/**
 * Changes the records as if a server had stopped answering long ago. Only the next service reads
 * them; a running service has the time in memory.
 */
const age = async (home: LabHome): Promise<void> => {
	await home.checked('local', 'stop');
	const file = recordsOf(home);
	const found = readFileSync(file, 'utf8');
	const aged = found.replace(/"mute_since": \d+/, '"mute_since": 1');
	expect(aged === found).toBe(false);
	writeFileSync(file, aged, {mode: 0o600});
};

test.skipIf(labMissing !== null)(
	'a socket that never answers ends as an error; a server that stops answering is kept',
	async () => {
		await using lab = await startLab();
		await using home = await labHome(lab);
		const {checked} = home;
		const muted = `${lab.home('dash')}/mute`;
		const module = `mkdir -p ${muted}/jupyter_server; : >${muted}/jupyter_server/__init__.py; cat >${muted}/jupyter_server/__main__.py <<'END'\n${MUTE}END\n`;
		expect(await lab.as('dash', module)).toMatchObject({code: 0});
		configure(home, {'lab-dash': {setup: `export PYTHONPATH=${muted}`}});
		await checked('ssh', 'add', 'lab-dash');
		await checked(...create('gp', 'lab-dash'));
		await waitFor(
			async () => {
				expect(await listed(home, 'gp')).toMatchObject({status: 'starting'});
				expect(readFileSync(recordsOf(home), 'utf8')).toMatch(/"mute_since": \d/);
			},
			{interval: 300},
		);
		const place = (
			await lab.as('dash', 'sed -n "s|^socket ||p" ~/.local/share/svc-tui/remote/servers/*/where')
		).stdout.trim();
		expect(place).toMatch(/^\/tmp\/svc-\w+\/s$/);
		await age(home);
		await waitFor(
			async () =>
				expect(await listed(home, 'gp')).toMatchObject({
					status: 'error',
					status_reason: expect.stringMatching(
						/^Jupyter Server on lab-dash opened its socket, but did not answer within 2 minutes, and was ended\. Its log there: ~\/\S+\/log$/,
					) as string,
				}),
			{interval: 300},
		);
		expect(await processesOf(lab, 'dash')).toBe('');
		expect(existsSync(dirname(place))).toBe(false);

		configure(home, {'lab-dash': {}});
		expect(await checked('server', 'start', 'gp', '--wait')).toMatch(/^gp is ready/);
		await checked('run', 'gp', '-c', 'x = 1');
		expect(await lab.root('pkill', '-STOP', '-u', 'dash', '-f', 'jupyter_server')).toMatchObject({code: 0});
		await waitFor(
			async () =>
				expect(await listed(home, 'gp')).toMatchObject({
					status: 'unreachable',
					status_reason: 'Jupyter Server on lab-dash does not answer; trying again.',
				}),
			{interval: 300},
		);
		const waits = startCommand(home, 'run', 'gp', '-c', 'print(x)');
		await waitFor(() => expect(waits.errors()).toContain('gp cannot be reached now.'));
		expect(await lab.root('pkill', '-CONT', '-u', 'dash', '-f', 'jupyter_server')).toMatchObject({code: 0});
		expect(await waits.ended).toBe(0);
		expect(waits.output()).toBe('1\n');
		await checked('server', 'stop', 'gp');
	},
);

test.skipIf(labMissing !== null)(
	'a home that cannot be written, and machines without a folder for temporary files',
	async () => {
		await using lab = await startLab();
		await using home = await labHome(lab);
		const {checked, run} = home;
		const root = async (script: string) =>
			expect(await lab.root('sh', '-c', script)).toMatchObject({code: 0});
		const [carol, dash] = [lab.home('carol'), lab.home('dash')];
		const unwritable =
			'Nothing can be written in your home on lab-carol (quota of bytes or of files): make room there.';
		configure(home, {'lab-carol': {}, 'lab-dash': {}, lab: {}});
		await checked('ssh', 'add', 'lab-carol');
		// A server that is already running needs no file.
		await checked(...create('first', 'lab-carol'), '--wait');
		await root(`mount --bind ${carol} ${carol} && mount -o remount,ro,bind ${carol}`);
		expect(await checked('run', 'first', '-c', 'print(1)')).toBe('1\n');
		expect(await checked('server', 'stop', 'first')).toContain('first is offline');
		expect(await processesOf(lab, 'carol')).toBe('');
		const again = await run('ssh', 'add', 'lab-carol');
		expect(again.stdout + again.stderr).toContain(unwritable);
		const refused = await run('server', 'start', 'first');
		expect([refused.code === 0, refused.stderr]).toEqual([false, expect.stringContaining(unwritable)]);
		await root(`umount ${carol}`);
		await checked('ssh', 'add', 'lab-carol');
		expect(await checked('server', 'start', 'first', '--wait')).toMatch(/^first is ready/);
		await checked('server', 'stop', 'first');

		// First the nodes, then the host itself.
		const noFolder =
			'No folder for the socket could be created in /tmp on the host. Name another one in "setup", as in export TMPDIR=~/tmp.';
		await checked('ssh', 'add', 'lab');
		await root(`chmod 755 ${lab.folder}/tmp.n1 ${lab.folder}/tmp.n2`);
		const job = ['--environment', 'lab-python3', '--compute', 'lab-gpu-cpux0'];
		await checked('server', 'create', 'job', ...job);
		const ends = (name: string) =>
			waitFor(async () => expect(await listed(home, name)).toMatchObject({status_reason: noFolder}), {
				interval: 300,
			});
		await ends('job');
		await root('mount -t tmpfs -o mode=755 none /tmp');
		await checked('ssh', 'add', 'lab-dash');
		await checked(...create('plain', 'lab-dash'));
		await ends('plain');
		const setup = 'mkdir -p ~/tmp; export TMPDIR=~/tmp';
		configure(home, {'lab-dash': {setup}, lab: {setup}});
		for (const name of ['job', 'plain']) {
			expect(await checked('server', 'start', name, '--wait')).toMatch(new RegExp(`^${name} is ready`));
			expect(await checked('run', name, '-c', 'print(1)')).toBe('1\n');
			await checked('server', 'stop', name);
		}
		const left = await lab.root('find', `${dash}/tmp`, `${lab.home('alice')}/tmp`, '-name', 'svc-????????');
		expect(left.stdout).toBe('');
	},
);
