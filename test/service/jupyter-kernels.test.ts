import {expect, test} from 'vitest';
import type {Cell, CellEnd, KernelEvent, OwnKernel} from '../../src/engines/live-kernel.ts';
import {createEmulatedKernel} from '../../src/service/jupyter-emulator/emulated-kernel.ts';
import {createRest} from '../../src/service/jupyter-emulator/rest.ts';
import {parseIncoming} from '../../src/service/jupyter-emulator/wire.ts';

/** A fake kernel that counts requests. Its cells end when they are interrupted. */
const fakeKernel = () => {
	const did = {restarts: 0, interrupts: 0, closes: 0};
	const ended = Promise.withResolvers<string>();
	const watchers = new Set<(news: KernelEvent) => void>();
	const waiting: (() => void)[] = [];
	const end: CellEnd = {execution_count: 1, error: undefined};
	const live: OwnKernel = {
		python: '3.14.0',
		pid: () => null,
		watch(listener) {
			watchers.add(listener);
			return () => watchers.delete(listener);
		},
		run: cell =>
			new Promise(resolve => {
				begin(cell);
				waiting.push(() => resolve(end));
			}),
		ask: async () => null,
		input: () => undefined,
		interrupt() {
			did.interrupts++;
			for (const finish of waiting.splice(0)) finish();
		},
		async restart() {
			did.restarts++;
			for (const watcher of watchers) watcher({type: 'restarting'});
		},
		ended: ended.promise,
		async close() {
			did.closes++;
		},
	};
	const begin = (cell: Cell): void => {
		for (const watcher of watchers) watcher({type: 'begin', cell, execution_count: 1});
	};
	return {live, did, die: () => ended.resolve('Python can no longer be started.')};
};

const NO_MEMORY = 'Not enough memory for another Python process: one needs about 230 MB.';

/** The API of an embedded server. By default there is no memory for a second kernel. */
const opened = (refusal: string | null = NO_MEMORY) => {
	const main = fakeKernel();
	const own: ReturnType<typeof fakeKernel>[] = [];
	const rest = createRest({
		openDefault: () => createEmulatedKernel(main.live, () => rest.begin()),
		defaultPid: () => null,
		async startKernel() {
			const kernel = fakeKernel();
			own.push(kernel);
			return kernel.live;
		},
		refusal: () => refusal,
		contents: async () => ({status: 200}),
		onShutDown: () => undefined,
		load: async () => ({}) as never,
		python: '3.14.0',
	});
	const ask = async (method: string, path: string, body: Readonly<Record<string, unknown>> = {}) => {
		const reply = await rest.answer({method, path, raw: path, query: new URLSearchParams(), body});
		return {...reply, body: reply.body as ReturnType<typeof JSON.parse>};
	};
	const idsOf = async (): Promise<readonly string[]> =>
		(await ask('GET', 'api/kernels')).body.map(({id}: {readonly id: string}) => id);
	const open = async (path: string, kernel?: object) =>
		(await ask('POST', 'api/sessions', {path, type: 'notebook', ...(kernel && {kernel})})).body;
	const lost = {
		get times() {
			return main.did.restarts;
		},
	};
	return {main, own, lost, rest, ask, idsOf, open};
};

/** Sends a request to a kernel on one of its channels. Returns the reply. */
const askKernel = (rest: ReturnType<typeof opened>['rest'], id: string, type: string, content: object) => {
	const replied = Promise.withResolvers<Readonly<Record<string, unknown>>>();
	let isClosed = false;
	const said: unknown[] = [];
	const line = {
		form: 'text' as const,
		waiting: () => 0,
		send(data: string | Buffer, onSent: () => void) {
			const message = JSON.parse(String(data));
			said.push(message.content['execution_state']);
			if (message.channel === 'control') replied.resolve(message.content);
			onSent();
		},
		close() {
			isClosed = true;
		},
	};
	const header = {msg_id: '1', msg_type: type};
	const channel = type === 'execute_request' ? 'shell' : 'control';
	const message = parseIncoming(Buffer.from(JSON.stringify({channel, header, content})), false);
	rest
		.kernel(id)
		?.connect('session', line, null)
		.receive(message as NonNullable<typeof message>);
	return {reply: replied.promise, said, isClosed: () => isClosed};
};

test("a kernel that another client starts is its own to end: the user's names stay", async () => {
	const {rest, ask, idsOf, lost} = opened();
	rest.begin();
	const [own = ''] = await idsOf();
	const made = await ask('POST', 'api/kernels', {name: 'python3'});
	const {id} = made.body;
	expect(made).toMatchObject({status: 201, headers: {location: `api/kernels/${id}`}});
	expect(id).not.toBe(own);
	expect(await idsOf()).toEqual([own, id]);
	expect((await ask('GET', `api/kernels/${id}`)).body).toMatchObject({id, name: 'python3'});
	const channel = askKernel(rest, id, 'kernel_info_request', {});
	expect(await channel.reply).toMatchObject({status: 'ok'});
	expect((await ask('DELETE', `api/kernels/${id}`)).status).toBe(204);
	expect(channel.isClosed()).toBe(true);
	expect((await ask('GET', `api/kernels/${id}`)).status).toBe(404);
	expect(rest.kernel(id)).toBeNull();
	expect(await idsOf()).toEqual([own]);
	expect(lost.times).toBe(0);
});

test("neither a restart nor a shutdown over its channel deletes the user's variables, and the reply names an alternative", async () => {
	const {rest, ask, lost} = opened();
	rest.begin();
	const {id} = (await ask('POST', 'api/kernels')).body;
	expect(await ask('POST', `api/kernels/${id}/restart`)).toMatchObject({
		status: 409,
		body: {message: expect.stringMatching(/Other clients use this kernel.*:restart/)},
	});
	expect(await askKernel(rest, id, 'shutdown_request', {restart: true}).reply).toMatchObject({
		status: 'error',
		evalue: expect.stringMatching(/Other clients use this kernel/),
	});
	expect(await askKernel(rest, id, 'shutdown_request', {restart: false}).reply).toMatchObject({status: 'ok'});
	expect(lost.times).toBe(0);
});

test('a kernel without other users is restarted and ended like any other', async () => {
	const {rest, ask, idsOf, lost} = opened();
	const {id} = (await ask('POST', 'api/kernels')).body;
	expect(await idsOf()).toEqual([id]);
	expect((await ask('POST', `api/kernels/${id}/restart`)).status).toBe(200);
	expect(lost.times).toBe(1);
	// The user runs code too from here on, so the variables may be the user's.
	rest.begin();
	expect((await ask('DELETE', `api/kernels/${id}`)).status).toBe(204);
	expect(lost.times).toBe(1);
	const [own = ''] = await idsOf();
	// If a client deletes the kernel by its own name, it means to end the kernel.
	expect((await ask('DELETE', `api/kernels/${own}`)).status).toBe(204);
	expect([await idsOf(), lost.times]).toEqual([[], 2]);
	const second = (await ask('POST', 'api/kernels')).body.id;
	const third = (await ask('POST', 'api/kernels')).body.id;
	await ask('DELETE', `api/kernels/${second}`);
	expect(lost.times).toBe(2);
	await ask('DELETE', `api/kernels/${third}`);
	expect([await idsOf(), lost.times]).toEqual([[], 3]);
});

test("another client's session ends without the kernel while someone else has a kernel or a session", async () => {
	const {ask, idsOf, lost} = opened();
	const session = (await ask('POST', 'api/sessions', {path: 'a.ipynb', type: 'notebook'})).body.id;
	const {id} = (await ask('POST', 'api/kernels')).body;
	expect((await ask('DELETE', `api/sessions/${session}`)).status).toBe(204);
	expect([await idsOf(), lost.times]).toEqual([[id], 0]);
});

test('kernels that are started without an end are refused beyond a hundred', async () => {
	const {ask} = opened();
	for (let each = 0; each < 100; each++) await ask('POST', 'api/kernels');
	expect(await ask('POST', 'api/kernels')).toMatchObject({status: 503});
});

test('each path and each started kernel has a process of its own, and ends with it', async () => {
	const {own, ask, idsOf, open, rest, main} = opened(null);
	const [first, again, repl] = await Promise.all([open('a.ipynb'), open('a.ipynb'), open('svc-tui-python3')]);
	expect(first).toMatchObject({path: 'a.ipynb', shared_with: null, shared_because: null});
	expect(again.id).toBe(first.id);
	const script = await open('svc-tui-run-1');
	const alone = (await ask('POST', 'api/kernels')).body;
	expect(own).toHaveLength(3);
	const ids = [repl, first, script].map(({kernel}) => kernel.id);
	expect(new Set([...ids, alone.id]).size).toBe(4);
	expect(await idsOf()).toEqual([...ids, alone.id]);
	expect((await ask('GET', 'api/status')).body).toMatchObject({kernels: 4});

	expect((await ask('POST', `api/kernels/${first.kernel.id}/interrupt`)).status).toBe(204);
	expect((await ask('POST', `api/kernels/${script.kernel.id}/restart`)).status).toBe(200);
	expect(own.map(({did}) => did)).toEqual([
		{interrupts: 1, restarts: 0, closes: 0},
		{interrupts: 0, restarts: 1, closes: 0},
		{interrupts: 0, restarts: 0, closes: 0},
	]);
	const channel = askKernel(rest, first.kernel.id, 'kernel_info_request', {});
	expect(await channel.reply).toMatchObject({status: 'ok'});
	expect((await ask('DELETE', `api/sessions/${first.id}`)).status).toBe(204);
	expect(channel.isClosed()).toBe(true);
	// The session ends with the kernel.
	expect((await ask('DELETE', `api/kernels/${script.kernel.id}`)).status).toBe(204);
	expect((await ask('GET', `api/sessions/${script.id}`)).status).toBe(404);
	expect((await ask('DELETE', `api/kernels/${alone.id}`)).status).toBe(204);
	expect(own.map(({did}) => did.closes)).toEqual([1, 1, 1]);
	expect(await idsOf()).toEqual([repl.kernel.id]);
	expect(main.did).toEqual({interrupts: 0, restarts: 0, closes: 0});
	expect((await open('a.ipynb')).id).not.toBe(first.id);
});

test('sessions without memory for a process name who shares the kernel with them, and why', async () => {
	const {open, ask, own} = opened();
	const first = await open('a.ipynb');
	expect(first).toMatchObject({shared_with: ['svc-tui-python3'], shared_because: NO_MEMORY});
	expect(await open('b.ipynb')).toMatchObject({
		shared_with: ['svc-tui-python3', 'a.ipynb'],
		kernel: {id: first.kernel.id},
	});
	const {id, ...alone} = (await ask('POST', 'api/kernels')).body;
	expect(alone).toMatchObject({
		shared_with: ['svc-tui-python3', 'a.ipynb', 'b.ipynb'],
		shared_because: NO_MEMORY,
	});
	expect(await open('svc-tui-python3')).toMatchObject({
		shared_with: ['a.ipynb', 'b.ipynb', id],
		shared_because: null,
	});
	expect(own).toEqual([]);
});

test('a session moves to the kernel of another one, or to a new one, and its old kernel ends', async () => {
	const {open, ask, own} = opened(null);
	const first = await open('a.ipynb');
	const second = await open('b.ipynb');
	const {id} = first.kernel;
	expect((await ask('PATCH', `api/sessions/${second.id}`, {kernel: {id}})).body).toMatchObject({
		path: 'b.ipynb',
		kernel: {id},
		shared_with: ['a.ipynb'],
		shared_because: null,
	});
	expect(own.map(({did}) => did.closes)).toEqual([0, 1]);
	expect(await open('c.ipynb', {id})).toMatchObject({kernel: {id}, shared_with: ['a.ipynb', 'b.ipynb']});
	// A kernel ends with its last session.
	await ask('DELETE', `api/sessions/${first.id}`);
	expect(own.map(({did}) => did.closes)).toEqual([0, 1]);
	const moved = await ask('PATCH', `api/sessions/${second.id}`, {path: 'd.ipynb', kernel: {name: 'python3'}});
	expect(moved.body).toMatchObject({path: 'd.ipynb', shared_with: null});
	expect(moved.body.kernel.id).not.toBe(id);
	expect((await ask('PATCH', `api/sessions/${second.id}`, {kernel: {id: 'none'}})).status).toBe(404);
	expect((await ask('POST', 'api/sessions', {path: 'e.ipynb', kernel: {id: 'none'}})).status).toBe(404);
	expect(own).toHaveLength(3);
});

test('clients are told of a kernel that has ended for good, and its session is gone', async () => {
	const {open, ask, own, rest, idsOf} = opened(null);
	const {id, kernel} = await open('a.ipynb');
	const channel = askKernel(rest, kernel.id, 'kernel_info_request', {});
	await channel.reply;
	own[0]?.die();
	await expect.poll(() => channel.isClosed()).toBe(true);
	expect(channel.said.at(-1)).toBe('dead');
	expect([await idsOf(), (await ask('GET', `api/sessions/${id}`)).status]).toEqual([[], 404]);
});

test('a busy kernel is in use, and one that has run code holds variables until it restarts', async () => {
	const {open, ask, rest} = opened(null);
	const {kernel} = await open('a.ipynb');
	expect(rest.hasState()).toBe(false);
	askKernel(rest, kernel.id, 'execute_request', {code: 'train()'});
	const later = Date.now() + 3_600_000;
	const {now} = Date;
	Date.now = () => later;
	try {
		expect([rest.lastUsed(), rest.hasState()]).toEqual([later, true]);
		await ask('POST', `api/kernels/${kernel.id}/interrupt`);
		await expect
			.poll(async () => (await ask('GET', `api/kernels/${kernel.id}`)).body.execution_state)
			.toBe('idle');
		Date.now = () => later + 1000;
		expect(rest.lastUsed()).toBe(later);
	} finally {
		Date.now = now;
	}
	await ask('POST', `api/kernels/${kernel.id}/restart`);
	expect(rest.hasState()).toBe(false);
});
