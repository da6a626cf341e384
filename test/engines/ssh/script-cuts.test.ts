// @module-tag long
// A host crashes within a script, after each command in turn. Afterwards the server's state must be
// readable, nothing may run twice, and it must be possible to end everything. Slurm is simulated by
// a folder of files.
import {spawn} from 'node:child_process';
import {mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {LostAnswerError} from '../../../src/engines/ssh/connection.ts';
import {createLaunches, type LauncherKind, type Order} from '../../../src/engines/ssh/launcher.ts';
import {composeScript, readScript} from '../../../src/engines/ssh/script.ts';
import {waitFor} from '../../support/wait-for.ts';

const AT_ONCE = 8;

/** Stand-in for Jupyter: opens a socket and appends a line to `starts`. */
const PYTHON = `#!/bin/sh
echo >>"$HOME/starts"
exec /usr/bin/python3 -c "import os, socket, time
own = socket.socket(socket.AF_UNIX); own.bind(os.environ['SVC_PLACE'] + '/s'); own.listen(); time.sleep(600)"
`;
/**
 * Simulated commands of Slurm. Each job is a file whose name is the job's ID and whose content is
 * the job's name.
 */
const SLURM = {
	sbatch: `for word; do case $word in --job-name=*) name=\${word#*=} ;; esac; done
id=$(($(ls "$HOME/jobs" "$HOME/cancelled" | grep -c '^[0-9]') + 1))
echo "$name" >"$HOME/jobs/$id"; echo $id`,
	squeue: `while [ $# -gt 0 ]; do case $1 in -j) jobs=$2 ;; -n) name=$2 ;; esac; shift; done
cd "$HOME/jobs"
[ -z "$name" ] || { grep -lx "$name" * 2>/dev/null; exit 0; }
for id in $(echo "$jobs" | tr , ' '); do [ ! -e $id ] || { found=yes; echo "$id|PENDING||N/A|N/A|gpu|10:00|Resources"; }; done
[ -n "$found" ] || { echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1; }`,
	scontrol: `echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1`,
	scancel: `mv "$HOME/jobs/$1" "$HOME/cancelled/$1" 2>/dev/null || { echo 'Invalid job id specified' >&2; exit 1; }`,
} as const;

/**
 * A simulated host with a temporary folder as home. `cut`: number of the command before which a
 * script is killed; 0 for never.
 */
const openHost = () => {
	const home = mkdtempSync(join(tmpdir(), 'svc-cut-'));
	const bin = join(home, 'bin');
	for (const name of ['bin', 'jobs', 'cancelled', 'tmp']) mkdirSync(join(home, name));
	for (const [name, text] of Object.entries({...SLURM, python: PYTHON.replace('#!/bin/sh\n', '')}))
		writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`, {mode: 0o755});
	const env = {PATH: `${bin}:/usr/bin:/bin`, HOME: home, TMPDIR: join(home, 'tmp')};
	const run = (text: string): Promise<string> =>
		new Promise(resolve => {
			// Killing a script also kills its processes.
			const child = spawn('/bin/bash', ['--posix'], {env, detached: true, stdio: ['pipe', 'pipe', 'ignore']});
			let out = '';
			child.stdout.on('data', (chunk: Buffer) => {
				out += chunk.toString();
			});
			child.stdin.on('error', () => {});
			child.stdin.end(text);
			child.on('close', () => resolve(out));
		});
	const host = {
		cut: 0,
		launches: createLaunches('host', {
			async script(names, values = {}) {
				// Two files of the bundle are enough.
				const {nonce, text} = composeScript(names, 'files' in values ? {...values, files: 2} : values);
				const trap = `set -T; commands=0; trap 'commands=$((commands + 1)); [ $commands -ne ${host.cut} ] || kill -KILL 0' DEBUG`;
				const cut = text.replace(/^printf .*-begin.*$/m, begin => `${begin}\n${trap}`);
				const lines = readScript(await run(host.cut === 0 ? text : cut), nonce);
				if (lines === null) throw new LostAnswerError('the host died', true);
				return lines;
			},
		}),
		list: (name: string): readonly string[] => readdirSync(join(home, name)),
		starts: (): number => {
			try {
				return readFileSync(join(home, 'starts'), 'utf8').length;
			} catch {
				return 0;
			}
		},
		/** Processes of servers. */
		running: (): Promise<string> => run(`grep -slzF 'SVC_RUN=${home}' /proc/[0-9]*/environ | grep -v "/$$/"`),
		order: (order: string, kind: LauncherKind): Order => ({
			...{id: '00112233', order, kind, token: 'secret', basePath: '/x/', setup: '', root: '', grace: 0},
			...{python: join(bin, 'python'), about: '{}'},
			values: {sbatch_words: "'--partition=gpu'", client_key: 'ssh-ed25519 key'},
		}),
		[Symbol.asyncDispose]: async () => {
			await run(`kill -KILL $(grep -slzF 'SVC_RUN=${home}' /proc/[0-9]*/environ | cut -d/ -f3)`);
			rmSync(home, {recursive: true, force: true, maxRetries: 5});
		},
	};
	return host;
};
type Host = ReturnType<typeof openHost>;

const stateOf = async ({launches}: Host, {id, order}: Order): Promise<string> =>
	(await launches.look([{id, order}])).get(id)?.state ?? 'none';
/** Runs `act` with a cut. Resolves to true if the script ended before the cut. */
const hasEnded = async (host: Host, cut: number, act: () => Promise<unknown>): Promise<boolean> => {
	host.cut = cut;
	try {
		await act();
		return true;
	} catch (error) {
		expect(error).toBeInstanceOf(LostAnswerError);
		return false;
	} finally {
		host.cut = 0;
	}
};
const nothingIsLeft = async (host: Host, cut: number): Promise<void> => {
	expect([cut, await host.running(), host.list('tmp'), host.list('jobs')]).toEqual([cut, '', [], []]);
};

/**
 * Cuts a script before its first command, then its second and so on, until the script ends before
 * the cut. Returns the number of that cut. Each cut has a separate host.
 */
const cutEverywhere = async (test: (cut: number) => Promise<boolean>): Promise<number> => {
	for (let cut = 1; ; cut += AT_ONCE) {
		const cuts = Array.from({length: AT_ONCE}, (_, index) => cut + index);
		const whole = await Promise.all(cuts.map(test));
		if (whole.some(Boolean)) return cut + whole.indexOf(true);
	}
};

test.each(['process', 'job'] as const)('a start that is cut after any command of a %s', async kind => {
	const commands = await cutEverywhere(async cut => {
		await using host = openHost();
		const first = host.order('first', kind);
		const isWhole = await hasEnded(host, cut, () => host.launches.launch(first));
		const state = await stateOf(host, first);
		expect([cut, state]).toEqual([cut, expect.stringMatching(/^(?:absent|starting|listens|ended)$/)]);
		// The response was lost, so the request is sent again.
		await host.launches.launch(first);
		expect([cut, await stateOf(host, first)]).not.toEqual([cut, 'absent']);
		expect([cut, host.starts() <= 1 && host.list('jobs').length <= 1]).toEqual([cut, true]);
		await host.launches.end(first.id);
		await nothingIsLeft(host, cut);

		const second = host.order('second', kind);
		await host.launches.launch(second);
		expect([cut, await stateOf(host, second)]).toEqual([
			cut,
			expect.stringMatching(/^(?:starting|listens)$/),
		]);
		return isWhole;
	});
	expect(commands).toBeGreaterThan(40);
});

test.each(['process', 'job'] as const)('an end that is cut after any command of a %s', async kind => {
	const commands = await cutEverywhere(async cut => {
		await using host = openHost();
		const order = host.order('first', kind);
		await host.launches.launch(order);
		const begun = kind === 'job' ? 'starting' : 'listens';
		await waitFor(async () => expect(await stateOf(host, order)).toBe(begun));
		const isWhole = await hasEnded(host, cut, () => host.launches.end(order.id));
		expect([cut, await stateOf(host, order)]).toEqual([
			cut,
			expect.stringMatching(isWhole ? /^ended$/ : /^(?:starting|listens|ended|unknown)$/),
		]);
		await host.launches.end(order.id);
		expect([cut, await stateOf(host, order)]).toEqual([cut, 'ended']);
		await nothingIsLeft(host, cut);
		return isWhole;
	});
	expect(commands).toBeGreaterThan(15);
});
