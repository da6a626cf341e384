// @module-tag long
// The table in docs/notebooks.md about the routes to a kernel. Each row is tested on each route.
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {findJupyter} from '../../src/engines/jupyter/installation.ts';
import {HUB_START_MS, hubMissing, startHub} from '../support/hub.ts';
import {localService} from '../support/local-service.ts';
import {jupyterMissing, jupyterServer} from '../support/jupyter-server.ts';
import {notebookOf} from '../support/notebook-of.ts';
import {newHome, PROGRAM, runCommand, type Home} from '../support/program.ts';
import {waitFor} from '../support/wait-for.ts';
import {withoutLinks} from '../support/without-links.ts';
import {serve} from './support.ts';

const DOCS = readFileSync(join(import.meta.dirname, '../../src/docs/notebooks.md'), 'utf8');
const cellsOf = (line: string): readonly string[] =>
	line
		.split('|')
		.slice(1, -1)
		.map(cell => cell.trim());
const [HEAD = [], , ...ROWS] = (/^\| \| embedded engine[^]*?(?=\n\n)/m.exec(DOCS)?.[0] ?? '')
	.split('\n')
	.map(cellsOf);
/** The documented value in a row of the table: true for `yes`. */
const states = (way: string, row: string): boolean => {
	const cell = ROWS.find(([name]) => name === row)?.[HEAD.indexOf(way)];
	if (cell !== 'yes' && !cell?.startsWith('no')) throw new Error(`"${row}" says nothing of ${way}`);
	return cell === 'yes';
};

type Place = {readonly env: Readonly<Record<string, string>>; readonly server: string};
type Way = {
	readonly missing: string | false;
	readonly open: (home: Home, resources: AsyncDisposableStack) => Promise<Place>;
};

const ownEngine =
	(engine: string): Way['open'] =>
	async (home, resources) => {
		const served = resources.use(await serve(home, ['--engine', engine]));
		return {env: served.env, server: 'welcome'};
	};
const noJupyter = findJupyter(process.env) === null && 'jupyter-server and ipykernel are not installed';

const WAYS: Readonly<Record<string, Way>> = {
	'embedded engine': {missing: false, open: ownEngine('embedded')},
	'Jupyter engine': {missing: noJupyter, open: ownEngine('jupyter')},
	JupyterHub: {
		missing: hubMissing ?? false,
		async open(home, resources) {
			const hub = resources.use(await startHub());
			const token = await hub.tokenOf('ann@example.com');
			const service = {openEngine: undefined, engine: 'jupyterhub', hub: hub.url, apiKey: token} as const;
			const local = resources.use(await localService(service));
			const env = {SVC_BASE_URL: local.service.url, SVC_API_KEY: token};
			const created = ['server', 'create', 'lab', '--environment', 'ai', '--compute', 'svc-medium', '--wait'];
			expect(await runCommand(created, {home, env})).toMatchObject({code: 0});
			return {env, server: 'lab'};
		},
	},
	'attached Jupyter': {
		missing: jupyterMissing && 'jupyter-server is not installed',
		async open(home, resources) {
			const jupyter = resources.use(await jupyterServer());
			const served = resources.use(await serve(home, ['--allow-attach', new URL(jupyter.url).host]));
			const input = `${jupyter.url}?token=${jupyter.token}\n`;
			expect(await runCommand(['attach', '--name', 'theirs'], {home, env: served.env, input})).toMatchObject({
				code: 0,
			});
			return {env: served.env, server: 'theirs'};
		},
	},
	'plain API': {
		missing: false,
		async open(home, resources) {
			const served = resources.use(await serve(home, ['--engine', 'embedded']));
			const plain = resources.use(await withoutLinks(served.url));
			return {env: {...served.env, SVC_BASE_URL: plain.url}, server: 'welcome'};
		},
	},
};

test('the documentation states what each way can do', () => {
	expect(HEAD.slice(1)).toEqual(Object.keys(WAYS));
	expect(ROWS.length).toBeGreaterThan(3);
});

const outputsIn = (file: string): string =>
	(
		JSON.parse(readFileSync(file, 'utf8')) as {
			readonly cells: readonly {readonly outputs: readonly {readonly text?: readonly string[]}[]}[];
		}
	).cells
		.flatMap(({outputs}) => outputs.flatMap(({text = []}) => text))
		.join('');

describe.for(Object.entries(WAYS))('%s', ([way, {missing, open}]) => {
	if (missing !== false) console.warn(`\n*** SKIPPED: ${way}: ${missing} ***\n`);
	test.skipIf(missing !== false)(
		'its kernels can do what the documentation states',
		async () => {
			await using resources = new AsyncDisposableStack();
			const home = resources.use(await newHome());
			const {env, server} = await open(home, resources);
			const put = (name: string, text: string): void => writeFileSync(join(home.folder, name), text);
			const svc = async (...words: readonly string[]) => runCommand(words, {home, env});
			const run = async (...words: readonly string[]) => svc('run', server, ...words);
			if (server === 'welcome') await svc('server', 'start', server, '--wait');

			// Scripts and notebooks see no variables of the REPL and leave none behind.
			const isOwn = states(way, 'a kernel for each document');
			put('s.py', 'print("mark" in globals())\nmark = "script"\n');
			put('own.ipynb', notebookOf('print("mark" in globals())'));
			expect(await run('-c', 'mark = "repl"')).toMatchObject({code: 0});
			const notebook = await run('own.ipynb', '-o', 'own-out.ipynb');
			const script = await run('s.py');
			const sees = isOwn ? 'False\n' : 'True\n';
			expect([notebook.code, outputsIn(join(home.folder, 'own-out.ipynb'))]).toEqual([0, sees]);
			expect([script.code, script.stdout]).toEqual([0, sees]);
			for (const {stderr} of [notebook, script])
				if (isOwn) expect(stderr).toBe('');
				else expect(stderr).toMatch(/shares its kernel with the REPL/);
			expect(await run('-c', 'print(mark)')).toMatchObject({stdout: isOwn ? 'repl\n' : 'script\n'});

			// The cells are queued in the kernel: the command ends while the first cell waits.
			// The cell prints nothing until then, because a hub's proxy may drop output when a
			// client disconnects.
			put(
				'train.ipynb',
				notebookOf(
					'import os, time\nwhile not os.path.exists("go"): time.sleep(0.01)',
					'print("begun")',
					'for i in range(50): print("line", i)',
					'print("end")',
				),
			);
			const detached = await run('train.ipynb', '--detach', '-o', 'out.ipynb');
			const isLeft = states(way, '`run --detach` and `--attach`');
			for (const row of [
				'waiting cells are with the kernel',
				'outputs are kept while no program is connected',
			])
				expect([row, states(way, row)]).toEqual([row, isLeft]);
			if (!isLeft) {
				expect([detached.code, detached.stdout]).toEqual([1, '']);
				expect(detached.stderr).toMatch(/has no Jupyter API at an address of its own/);
				// The command is killed while the cell runs. There is no output to resume, and no
				// cell runs twice.
				expect(states(way, 'a killed command loses no output')).toBe(false);
				return;
			}
			expect([detached.code, detached.stderr]).toEqual([0, '']);
			const id = detached.stdout.trim();

			// The command is killed. The next command prints its outputs again, each line once.
			expect(states(way, 'a killed command loses no output')).toBe(true);
			const child = spawn(PROGRAM, ['run', '--attach', id, '--progress'], {
				env: {...home.env, ...env},
				cwd: home.folder,
				stdio: ['ignore', 'ignore', 'pipe'],
			});
			let said = '';
			child.stderr.setEncoding('utf8').on('data', (part: string) => (said += part));
			await waitFor(() => expect(said).toContain('Cell 1 of 4'));
			const exit = once(child, 'exit');
			child.kill('SIGKILL');
			await exit;
			expect(await run('-c', 'open("go", "w").close()')).toMatchObject({code: 0});
			const attached = await svc('run', '--attach', id);
			expect([attached.code, attached.stdout]).toEqual([0, '']);
			expect(existsSync(join(home.folder, 'out.ipynb'))).toBe(true);
			const lines = Array.from({length: 50}, (_, n) => `line ${n}\n`).join('');
			expect(outputsIn(join(home.folder, 'out.ipynb'))).toBe(`begun\n${lines}end\n`);
		},
		way === 'JupyterHub' ? HUB_START_MS : undefined,
	);
});
