// @module-tag long
import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test, vi} from 'vitest';
import {computeIdOf, gpuModel} from '../../src/query/option.ts';
import {label} from '../../src/text/safe.ts';
import {newHome, type Home} from '../support/program.ts';
import {runHere} from '../support/run-here.ts';
import {valuesBelow} from './columns.ts';
import {CASES, packs} from './hostile-cases.ts';
import {
	computeOption,
	executedCell,
	fileEntry,
	folderEntry,
	serverItem,
	startedServer,
	startHostileService,
	stream,
	success,
	type Routes,
} from './hostile-service.ts';
import {expectJson, onScreen, PLAIN} from './watched-command.ts';

// A single run covers all texts; a busy machine may need longer than the usual minute.
vi.setConfig({testTimeout: 240_000});

let home: Home;
beforeAll(async () => {
	home = await newHome();
});
afterAll(async () => home[Symbol.asyncDispose]());

const servers = CASES.map(text =>
	serverItem(text, {
		status: text,
		environment: text,
		server_request: text,
		url: text,
		token: text,
		thumb: text,
		port_forward_url: text,
		assistant_editor_url: text,
		[text]: text,
	}),
);
const options = CASES.map((text, index) =>
	computeOption(text, {
		cloud_host: text,
		compute_id: text,
		memory: text,
		vram_per_gpu: text,
		total_vram: text,
		hourly_price: 1 + index / 100,
		availability: [{available: true, region: text}],
		note: text,
	}),
);
const environments = CASES.map(text => ({environment_id: text, name: text, description: text}));
const folder = folderEntry(
	'',
	CASES.map(text => fileEntry(text, {name: text, last_modified: text, mimetype: text})),
);

/** A size as the list shows it. A GPU size of zero is unknown. */
const sizeCell = (text: string): string => (text === '0' ? '?' : label(text.trim(), 12));

const compute = {
	value: options,
	cells: (text: string) => ({
		COMPUTE: label(computeIdOf(computeOption(text, {compute_id: text})).id),
		GPU: label(gpuModel({name: text})),
		VRAM: sizeCell(text),
		TOTAL: sizeCell(text),
		MEM: sizeCell(text),
		HOST: label(text, 24),
	}),
};
const LISTS: Readonly<
	Record<
		string,
		{
			readonly args: readonly string[];
			readonly value: unknown;
			readonly cells: (text: string) => Readonly<Record<string, string>>;
		}
	>
> = {
	servers: {
		args: ['servers'],
		value: servers,
		cells: text => ({
			NAME: label(text),
			STATE: label(text, 20),
			ENVIRONMENT: label(text),
			COMPUTE: label(text),
		}),
	},
	compute: {args: ['compute'], ...compute},
	'compute watch': {args: ['compute', 'watch'], ...compute},
	environments: {
		args: ['environments'],
		value: environments,
		cells: text => ({ENVIRONMENT: label(text), NAME: label(text)}),
	},
	'files list': {args: ['files', 'list', 'calm'], value: folder, cells: text => ({NAME: label(text)})},
};

test.each(Object.entries(LISTS))(
	`${CASES.length} texts in every field: svc-tui %s, plain and --json, on a terminal and in a pipe`,
	async (_, {args, value, cells}) => {
		await using service = await startHostileService({
			servers: () => success({servers}),
			compute: () => success({compute: options}),
			environments: () => success({environments}),
			file: () => success({content: folder}),
		});
		const at = {home, env: service.env};
		const {rows} = await onScreen(args, at);
		const values = valuesBelow(
			rows[0] ?? [],
			rows.slice(1).filter(row => row.join('').trim() !== ''),
		);
		const expected = CASES.map(cells);
		const heads = Object.keys(expected[0] ?? {});
		expect(values.map(row => heads.map(head => row[head])).sort()).toEqual(
			expected.map(row => heads.map(head => row[head]?.trim())).sort(),
		);
		const {stdout, stderr} = await runHere(args, at);
		expect(stdout + stderr).toMatch(PLAIN);
		await expectJson(args, value, at);
	},
);

const done = 'd:{"finishReason":"stop","usage":{"promptTokens":1,"completionTokens":2}}';
const content = CASES.join('\n').toWellFormed().replaceAll('\0', '');
const outputs = CASES.flatMap(text => [
	{output_type: 'stream', name: 'stdout', text},
	{output_type: 'stream', name: 'stderr', text},
	{output_type: 'execute_result', data: {'text/plain': text}},
	{output_type: 'display_data', data: {[text]: text}},
	{output_type: text},
	{output_type: 'error', ename: text, evalue: text, traceback: [text]},
	{output_type: 'error', ename: text, evalue: text},
]);
/** Short texts, because each character is sent as a separate fragment. */
const SHORT = CASES.map(text => text.slice(0, 400));
const WORK: Partial<Routes> = {
	file: ({path}) => success({content: fileEntry(path, {content})}),
	run: ({body}) =>
		success({content: executedCell((JSON.parse(body) as {readonly code: string}).code, outputs)}),
	chat: () =>
		stream(
			'f:{"messageId":"m"}',
			...SHORT.flatMap(text => [...text.split('').map(unit => `0:${JSON.stringify(unit)}`), '0:"\\n"']),
			done,
		),
};

test(`${CASES.length} texts as content of a file: svc-tui files get, plain and --json, on a terminal, byte for byte in a pipe and in a file`, async () => {
	await using service = await startHostileService(WORK);
	const at = {home, env: service.env};
	await onScreen(['files', 'get', 'calm', 'a.txt'], at);
	expect((await runHere(['files', 'get', 'calm', 'a.txt'], at)).stdout).toBe(content);
	expect(await onScreen(['files', 'get', 'calm', 'a.txt', '-o', 'got'], at)).toMatchObject({
		code: 0,
		text: '',
	});
	expect(await readFile(join(home.folder, 'got'), 'utf8')).toBe(content);
	await expectJson(['files', 'get', 'calm', 'a.txt'], fileEntry('a.txt', {content}), at);
});

test(`${CASES.length} texts as seven kinds of output: svc-tui run, plain and --json, on a terminal and as it is in a pipe`, async () => {
	await using service = await startHostileService(WORK);
	const at = {home, env: service.env};
	await onScreen(['run', 'calm', '-c', '1'], at);
	const piped = await runHere(['run', 'calm', '-c', '1'], at);
	for (const text of CASES) expect(piped.stdout).toContain(text.toWellFormed());
	await expectJson(['run', 'calm', '-c', '1'], executedCell('1', outputs), at);
});

test(`${CASES.length} texts as an answer, cut into single characters: svc-tui chat, plain and --json, on a terminal and as it is in a pipe`, async () => {
	await using service = await startHostileService(WORK);
	const at = {home, env: service.env};
	await onScreen(['chat', 'calm', 'question'], at);
	const answer = SHORT.map(text => `${text}\n`).join('');
	expect((await runHere(['chat', 'calm', 'question'], at)).stdout).toBe(answer.toWellFormed());
	await expectJson(
		['chat', 'calm', 'question'],
		{
			messageId: 'm',
			content: answer,
			finishReason: 'stop',
			usage: {promptTokens: 1, completionTokens: 2},
			complete: true,
		},
		at,
	);
});

const whole = CASES.join(' ');

test(`${CASES.length} texts as id, finish reason and the assistant's own error: svc-tui chat, plain and --json, on a terminal`, async () => {
	await using service = await startHostileService({
		chat: () =>
			stream(
				`f:{"messageId":${JSON.stringify(whole)}}`,
				'0:"half"',
				`3:${JSON.stringify(whole)}`,
				`e:{"finishReason":${JSON.stringify(whole)}}`,
				`2:[${JSON.stringify(whole)}]`,
				`8:[${JSON.stringify(whole)}]`,
				`${whole.slice(0, 40)}:1`,
			),
	});
	const at = {home, env: service.env};
	const {code, text} = await onScreen(['chat', 'calm', 'question'], at);
	expect({code, text}).toEqual({code: 1, text: expect.stringContaining(label(whole).slice(0, 100))});
	const json = await onScreen(['chat', 'calm', 'question', '--json'], at);
	expect(json.code).toBe(1);
	expect(json.text).toMatch(PLAIN);
});

const GROUPS = packs(400);

test(`${CASES.length} texts in ${GROUPS.length} groups as name, url, token and message of a server: svc-tui server create and start, and files put with the path that it answers`, async () => {
	let group = '';
	await using service = await startHostileService({
		create: () =>
			success(startedServer(group, {url: group, token: group, message: group, port_forward_url: group})),
		start: () =>
			success(
				startedServer(group, {
					url: `https://lab.example/${group}?token=secret`,
					token: group,
					message: group,
				}),
			),
		servers: () => success({servers: [serverItem('asleep', {status: 'offline', status_reason: group})]}),
		upload: () => success({content: fileEntry(group, {content: null, format: null})}),
	});
	const at = {home, env: service.env};
	await writeFile(join(home.folder, 'put'), 'x');
	const create = ['server', 'create', 'new', '--environment', 'ai', '--compute', 'svc-medium'];
	for (group of GROUPS) {
		const [created, started, put] = await Promise.all([
			onScreen(create, at),
			onScreen(['server', 'start', 'asleep'], at),
			onScreen(['files', 'put', 'asleep', 'put'], at),
		]);
		for (const {code, text} of [created, started, put])
			expect({code, text}).toEqual({code: 0, text: expect.stringContaining(label(group).slice(0, 100))});
		expect(started.text).not.toContain('secret');
	}
	await expectJson(
		create,
		{
			status: 'success',
			...startedServer(group, {url: group, token: group, message: group, port_forward_url: group}),
		},
		at,
	);
});

/** States of the server that a command waits for. Each request of the list returns the next one. */
const WAITED = packs(20)
	.filter((_, index) => index % 6 === 0)
	.slice(0, 12);

test(`${WAITED.length} groups of texts as the state of a server that is waited for, and as why it goes offline: svc-tui server start --wait`, async () => {
	const name = CASES.find(text => text.includes('\u001B]52')) ?? '';
	// Each command has its own service, because the first command would use up the states.
	const found = await Promise.all(
		Array.from({length: 4}, async (_, index) => {
			const states = Array.from({length: 5}, (__, at) => WAITED[(3 * index + at) % WAITED.length]);
			await using service = await startHostileService({
				servers: () => {
					const status = states.shift();
					return success({
						servers: [
							serverItem(name, status === undefined ? {status: 'offline', status_reason: whole} : {status}),
						],
					});
				},
			});
			const at = {home, env: service.env, own: ['CSI K', 'U+000D']};
			return await onScreen(['server', 'start', name, '--wait'], at);
		}),
	);
	const all = found.map(({text}) => text).join('\n');
	for (const {code, text} of found)
		expect({code, text}).toEqual({
			code: 1,
			text: expect.stringContaining('did not become ready: it is offline again.'),
		});
	expect(WAITED.filter(state => all.includes(` ${label(state, 20)}, `)).length).toBeGreaterThan(3);
	expect(all).toContain(label(whole).slice(0, 40));
});
