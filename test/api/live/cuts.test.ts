// @module-tag long
// The live link over a connection that breaks, with the embedded engine and Debian's Jupyter
// Server.
import {describe, expect, test} from 'vitest';
import {findJupyter} from '../../../src/engines/jupyter/installation.ts';
import {expectEachOnceWhileCut, numbersOf} from '../../support/cut-lines.ts';
import {linked, linkedForeign, runNow, textOf} from '../../support/live-link.ts';
import {createRandom} from '../../support/random.ts';
import {waitFor} from '../../support/wait-for.ts';

const missing = findJupyter(process.env) === null;
const LINES = 2000;
const BATCH = 100;
/**
 * Prints in batches with pauses. Connections are cut in the pauses, because a server loses messages
 * that it sends before it has noticed the cut.
 */
const IN_BATCHES = `import time\nfor i in range(${LINES}):\n    print(i, flush=True)\n    if i % ${BATCH} == ${BATCH - 1}: time.sleep(0.25)`;
const PRINTS = `import time\nfor i in range(${LINES}):\n    print(i, flush=True)\n    time.sleep(0.002)`;

const ENGINES = missing ? (['pyodide'] as const) : (['pyodide', 'jupyter'] as const);
test.for(ENGINES)(
	'10,000 lines on %s, cut and torn 20 times at random: each once and in order',
	async engine => {
		await using cut = await linked(engine);
		await expectEachOnceWhileCut(cut);
	},
);

describe.skipIf(missing)('a link that breaks', () => {
	test('2,000 lines of an independent Jupyter Server arrive in order and once while the connection is cut after every hundred; missing ones are reported, and the cell ran once', async () => {
		await using cut = await linkedForeign();
		const {pause} = createRandom(2026);
		await (
			await runNow(cut.live, 'runs = 0')
		).ended;
		const cell = await runNow(cut.live, `runs += 1\n${IN_BATCHES}`);
		let isOver = false;
		void cell.ended.then(() => {
			isOver = true;
		});
		for (let batch = 1; batch < LINES / BATCH; batch++) {
			// Checks the last number, not the number of lines: lines may be lost, also at the end.
			await waitFor(() => expect(isOver || (numbersOf(cell).at(-1) ?? 0) >= batch * BATCH - 1).toBe(true), {
				interval: 3,
			});
			await pause(60);
			cut.proxy.cut();
		}
		expect(await cell.ended).toEqual({kind: 'done'});
		// A line may be in transit during a cut if the machine is busy. Debian's server then loses
		// it.
		const came = numbersOf(cell);
		expect(came).toEqual([...new Set(came)].sort((a, b) => a - b));
		const said = /while this ran: (\d+) message/.exec(textOf(cell, 'stderr'))?.[1];
		expect(Number(said ?? 0)).toBeGreaterThanOrEqual(LINES - came.length);
		// The reported number counts lost messages, and each line is a message. Other messages may
		// be lost too: two at the start of a cell, two at its end, and on every new connection two
		// for each request that Jupyter sends to the kernel until it replies.
		expect(Number(said ?? 0)).toBeLessThanOrEqual(LINES - came.length + 4 + 8 * cut.proxy.cuts());
		// Some batches may end without a cut, because reconnecting took longer than a batch.
		expect(cut.proxy.cuts()).toBeGreaterThanOrEqual(5);
		const after = await runNow(cut.live, 'print(runs)');
		await after.ended;
		expect(textOf(after)).toBe('1\n');
	});

	test('if a break of such a server loses messages in transit the cell reports it, repeats nothing, and is not sent again', async () => {
		await using cut = await linkedForeign();
		await (
			await runNow(cut.live, 'runs = 0')
		).ended;
		const cell = await runNow(cut.live, `runs += 1\n${PRINTS}`);
		for (const stop of [100, 400, 900, 1300]) {
			await waitFor(() => expect(numbersOf(cell).at(-1)).toBeGreaterThanOrEqual(stop), {interval: 3});
			cut.proxy.tear();
		}
		await cell.ended;
		const came = numbersOf(cell);
		expect(came).toEqual([...new Set(came)].sort((a, b) => a - b));
		const lost = LINES - came.length;
		expect(textOf(cell, 'stderr')).toMatch(
			/^$|output may be missing\. The server can be set up to keep them: svc-tui help live\.]\n$/,
		);
		const said = /while this ran: (\d+) message/.exec(textOf(cell, 'stderr'))?.[1];
		// The reported number includes the missing lines and other lost messages, as above.
		expect(Number(said ?? 0)).toBeGreaterThanOrEqual(lost);
		expect(Number(said ?? 0)).toBeLessThanOrEqual(lost + 4 + 8 * 4);
		const after = await runNow(cut.live, 'print(runs)');
		await after.ended;
		expect(textOf(after)).toBe('1\n');
	});

	test('a cell waits for a kernel that answers nothing yet, and goes over the link then', async () => {
		await using cut = await linked();
		// The cell runs through the service, so that the link has no channel yet.
		const {body} = await cut.local.call('POST', '/api/servers/welcome/run-code', {
			code: 'import os; print(os.getpid())',
			kernel_name: 'python3',
		});
		const {outputs} = body['content'] as {outputs: readonly {text: string}[]};
		const kernel = Number(outputs[0]?.text);
		process.kill(kernel, 'SIGSTOP');
		const cell = await runNow(cut.live, 'print("heard")');
		// The link has given up three silent channels and opened a fourth.
		await waitFor(() => expect(cut.proxy.channels()).toBe(4));
		process.kill(kernel, 'SIGCONT');
		expect(await cell.ended).toEqual({kind: 'done'});
		expect(textOf(cell)).toBe('heard\n');
	});

	test('a kernel that was ended while nothing ran and the connection was away gives way to another', async () => {
		await using cut = await linked();
		await (
			await runNow(cut.live, 'x = 1')
		).ended;
		const {body} = await cut.local.call('GET', '/api/servers');
		const [{url, token} = {}] = body['servers'] as readonly {url?: string; token?: string}[];
		const ask = async (path: string, method = 'GET'): Promise<Response> =>
			fetch(new URL(`${new URL(url ?? '').pathname}api/${path}`, url), {
				method,
				headers: {authorization: `token ${token}`},
			});
		cut.proxy.tear();
		const kernels = (await (await ask('kernels')).json()) as readonly {readonly id: string}[];
		expect(kernels).toHaveLength(1);
		for (const {id} of kernels) expect((await ask(`kernels/${id}`, 'DELETE')).status).toBe(204);
		const lost = await runNow(cut.live, 'print("x" in globals())');
		expect(await lost.ended).toEqual({kind: 'unsent', isNew: true});
		const next = await runNow(cut.live, 'print("x" in globals())');
		expect(await next.ended).toEqual({kind: 'done'});
		expect(textOf(next)).toBe('False\n');
	});

	test('a kernel that ends during a disconnection ends the cell with the known result', async () => {
		await using cut = await linked();
		const cell = await runNow(
			cut.live,
			'print("before", flush=True)\nimport time, os\ntime.sleep(0.5)\nos._exit(1)',
		);
		await waitFor(() => expect(textOf(cell)).toBe('before\n'));
		cut.proxy.tear();
		await cell.ended;
		expect(textOf(cell)).toContain('before\n');
		const next = await runNow(cut.live, '6*7');
		expect(await next.ended).toEqual({kind: 'done'});
		expect(next.now().outputs[0]).toMatchObject({data: {'text/plain': '42'}});
	});
});
