// @module-tag long
import {readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {labMissing, sharedLab} from '../../support/lab/lab.ts';
import {labHome} from '../../support/lab-home.ts';
import {waitFor} from '../../support/wait-for.ts';

const ALICE = 20_001;

type Listed = {readonly name: string; readonly status: string; readonly status_reason?: string};

test.skipIf(labMissing !== null)(
	'a host is added, runs cells across restarts of the service, and nothing remains after a stop',
	async () => {
		const lab = await sharedLab();
		await using home = await labHome(lab);
		const {run, checked} = home;
		const {stderr: none} = await run('ssh', 'list');
		expect(none).toContain('No hosts yet.');
		expect(none).toContain('lab-bob');
		expect((await run('ssh', 'add', '-oProxyCommand=touch /tmp/x')).code).not.toBe(0);
		expect((await run('ssh', 'add', '--', '-oProxyCommand=x')).stderr).toContain('A host is an alias');
		home.offerLoginNode('lab');
		expect(await checked('ssh', 'add', 'lab')).toContain('--environment lab-python3 --compute lab-cpux0');
		expect(JSON.parse(await checked('compute', '--host', 'lab', '--json'))).toMatchObject([
			{cloud_host: 'lab', compute_id: 'lab-cpux0', hourly_price: 0, price_known: false, num_gpus: 0},
		]);
		// The price is unknown.
		expect(await checked('compute', '--host', 'lab')).toMatch(/^lab-cpux0 .* \? /m);
		// The list may arrive before the connection is open, if the machine is busy.
		await waitFor(async () => expect(await checked('ssh', 'list')).toMatch(/^lab +connected/m));

		const wrong = await run('server', 'create', 'gp', '--environment', 'ai', '--compute', 'lab-cpux0');
		expect(wrong.stderr).toContain('"ai" is not an environment of lab. Use lab-python3.');
		const create = ['server', 'create', 'gp', '--environment', 'lab-python3', '--compute', 'lab-cpux0'];
		expect(await checked(...create, '--wait')).toMatch(/^gp is ready/);
		await checked('run', 'gp', '-c', 'import os; x = 41; open("made.txt", "w").write("1")');
		// Each command has its own service, which loads the last state. The kernel continues
		// between the commands.
		const [, seen] = JSON.parse(await checked('servers', '--json')) as readonly Listed[];
		expect(seen).toMatchObject({name: 'gp', status: 'ready'});
		expect(await checked('run', 'gp', '-c', 'print(x + 1, os.getcwd())')).toBe(`42 ${lab.home('alice')}\n`);
		expect(await checked('files', 'get', 'gp', 'made.txt')).toBe('1');

		// Checks that other users of the host see no secret.
		const store = readFileSync(join(home.folder, '.local/share/svc-tui/service/remote.json'), 'utf8');
		const [token = ''] = /(?<="token": ")[0-9a-f]{48}/.exec(store) ?? [];
		expect(token).not.toBe('');
		const {stdout: place} = await lab.as('alice', 'cat ~/.local/share/svc-tui/remote/servers/*/where');
		const [socket = ''] = /(?<=^socket )\/.*$/m.exec(place) ?? [];
		const connect = `python3 -c "import socket; s = socket.socket(socket.AF_UNIX); s.connect('${socket}'); print('connected')" 2>&1`;
		expect((await lab.as('alice', connect)).stdout).toBe('connected\n');
		expect((await lab.as('bob', connect)).stdout).toContain('PermissionError');
		expect((await lab.root('ps', '-eo', 'args', '-ww')).stdout).not.toContain(token);
		const {stdout: open} = await lab.as('alice', 'find ~/.local/share/svc-tui -perm /077');
		expect(open).toBe('');
		// Other labs use the same network, but have other processes.
		const {stdout: listening} = await lab.root(
			'sh',
			'-c',
			`find /proc/[0-9]*/fd -lname 'socket:*' -printf '%l\\n' 2>/dev/null | tr -dc '0-9\\n' >${lab.folder}/sockets
			awk 'NR == FNR {own[$1]; next} $4 == "0A" && $8 == ${ALICE} && $10 in own && $2 !~ /^(0100007F|00000000000000000000000001000000):/' ${lab.folder}/sockets /proc/net/tcp /proc/net/tcp6`,
		);
		expect(listening).toBe('');

		expect(await checked('server', 'stop', 'gp')).toContain('gp is offline');
		const {stdout: left} = await lab.root(
			'sh',
			'-c',
			`pgrep -u ${ALICE} -af 'jupyter|ipykernel|svc-tui/remote'; ls -d ${dirname(socket)} 2>/dev/null`,
		);
		expect(left).toBe('');
		const [, gp] = JSON.parse(await checked('servers', '--json')) as readonly Listed[];
		expect(gp).toMatchObject({name: 'gp', status: 'offline', status_reason: 'Shut down. Files are kept.'});
		home.offerLoginNode(null);
		expect((await run('run', 'gp', '-c', 'print(1)')).stderr).toContain('"gp" is on lab, and offline.');
		expect(await checked('ssh', 'remove', 'lab')).toContain('lab was removed');
		expect(await checked('compute', '--host', 'lab', '--json')).toBe('[]\n');
		await lab.as('alice', 'rm -rf ~/.local ~/made.txt');
	},
);
