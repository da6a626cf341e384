import {expect, test} from 'vitest';
import type {LiveKernel} from '../../src/engines/live-kernel.ts';
import {createEmulatedKernel} from '../../src/service/jupyter-emulator/emulated-kernel.ts';
import {createRest} from '../../src/service/jupyter-emulator/rest.ts';
import {parseIncoming} from '../../src/service/jupyter-emulator/wire.ts';

/** The interface of an embedded server whose kernel counts the losses of its variables. */
const opened = () => {
	const lost = {times: 0};
	const live: LiveKernel = {
		python: '3.14.0',
		pid: () => null,
		watch: () => () => undefined,
		run: async () => ({execution_count: 1, error: undefined}),
		ask: async () => null,
		input: () => undefined,
		failed: () => null,
		interrupt: () => undefined,
		async restart() {
			lost.times++;
		},
	};
	const rest = createRest({
		openKernel: () => createEmulatedKernel(live, () => rest.begin()),
		contents: async () => ({status: 200}),
		onShutDown: () => undefined,
		load: async () => ({}) as never,
		python: '3.14.0',
	});
	const ask = async (method: string, path: string, body: Readonly<Record<string, unknown>> = {}) => {
		const reply = await rest.answer({method, path, raw: path, query: new URLSearchParams(), body});
		return {...reply, body: reply.body as never as {readonly id: string} & readonly {readonly id: string}[]};
	};
	const idsOf = async (): Promise<readonly string[]> =>
		(await ask('GET', 'api/kernels')).body.map(({id}) => id);
	return {lost, rest, ask, idsOf};
};

/** Sends a request over a channel of a kernel. Returns the reply. */
const askKernel = (rest: ReturnType<typeof opened>['rest'], id: string, type: string, content: object) => {
	const replied = Promise.withResolvers<Readonly<Record<string, unknown>>>();
	let isClosed = false;
	const line = {
		form: 'text' as const,
		waiting: () => 0,
		send(data: string | Buffer, onSent: () => void) {
			const message = JSON.parse(String(data));
			if (message.channel === 'control') replied.resolve(message.content);
			onSent();
		},
		close() {
			isClosed = true;
		},
	};
	const header = {msg_id: '1', msg_type: type};
	const message = parseIncoming(Buffer.from(JSON.stringify({channel: 'control', header, content})), false);
	rest
		.kernel(id)
		?.connect('session', line, null)
		.receive(message as NonNullable<typeof message>);
	return {reply: replied.promise, isClosed: () => isClosed};
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
	// The user starts working: from here on the variables are theirs too.
	rest.begin();
	expect((await ask('DELETE', `api/kernels/${id}`)).status).toBe(204);
	expect(lost.times).toBe(1);
	const [own = ''] = await idsOf();
	// A client that deletes the kernel by its own name means to end it.
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
