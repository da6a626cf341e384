import {UnicodeGraphemesAddon} from '@xterm/addon-unicode-graphemes';
import headless from '@xterm/headless';
import {afterAll, beforeAll, expect, test, vi} from 'vitest';
import {computeIdOf, gpuModel} from '../../src/query/option.ts';
import {label} from '../../src/text/safe.ts';
import {onTerminal} from '../commands/support.ts';
import {newHome, runCommand, type Home} from '../support/program.ts';
import {recordEvents} from '../support/terminal-events.ts';
import {valuesBelow, type Head} from './columns.ts';
import {createControlReader} from './controls.ts';
import {CASES, packs} from './hostile-cases.ts';
import {computeOption, executedCell, fileEntry, folderEntry, json, serverItem, startedServer, startHostileService, stream, success, type Answer, type HostileService, type Routes} from './hostile-service.ts';

// One run carries all texts; a busy machine may need longer than the usual minute.
vi.setConfig({testTimeout: 240_000});

let home: Home;
beforeAll(async () => {
	home = await newHome();
});
afterAll(async () => home[Symbol.asyncDispose]());

const COLUMNS = 1200;
/** Nothing but printable characters and line ends, as far as a terminal and a reader can tell. */
const PLAIN = /^[^\u0000-\u0009\u000B-\u001F\u007F-\u009F\u00AD\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF]*$/;

/** What a command wrote to its terminal; fails when the terminal did anything but show letters and colours. */
const onScreen = async (service: HostileService, args: readonly string[]): Promise<{readonly code: number; readonly text: string; /** By cells. */ readonly rows: readonly (readonly string[])[]}> => {
	const {code, text} = await onTerminal(args, {home, env: service.env, columns: COLUMNS});
	const lines = text.split('\n').length;
	const emulator = new headless.Terminal({cols: COLUMNS, rows: Math.max(2, lines), allowProposedApi: true, scrollback: 0, convertEol: true});
	emulator.loadAddon(new UnicodeGraphemesAddon());
	const {bells, frames, ...events} = recordEvents(emulator);
	const controls = createControlReader();
	controls.read(text);
	await new Promise<void>(resolve => emulator.write(text, resolve));
	expect({kinds: [...controls.counts.keys()], events: Object.values(events).flat(), bells, frames}).toEqual({kinds: [], events: [], bells: 0, frames: 0});
	const rows = Array.from({length: lines}, (_, y) => {
		const line = emulator.buffer.active.getLine(y);
		// Cells are looked at only as far as something may stand in them.
		return Array.from({length: Math.min(COLUMNS, 2 * (line?.translateToString(true).length ?? 0))}, (__, x) => (line?.getCell(x)?.getWidth() === 0 ? '' : line?.getCell(x)?.getChars() || ' '));
	});
	emulator.dispose();
	return {code, text, rows};
};

/** Under --json the output is the same in a terminal and in a pipe, holds no control and is the value that was sent. */
const expectJson = async (service: HostileService, args: readonly string[], value: unknown): Promise<void> => {
	const {stdout, stderr} = await runCommand([...args, '--json'], {home, env: service.env});
	expect(stdout + stderr).toMatch(PLAIN);
	expect(JSON.parse(stdout)).toEqual(value);
	const {text} = await onScreen(service, [...args, '--json']);
	expect(text).toBe(stdout + stderr);
};

const servers = CASES.map(text => serverItem(text, {status: text, environment: text, server_request: text, url: text, token: text, thumb: text, port_forward_url: text, assistant_editor_url: text, [text]: text}));
const options = CASES.map((text, index) => computeOption(text, {cloud_host: text, compute_id: text, memory: text, vram_per_gpu: text, total_vram: text, hourly_price: 1 + index / 100, availability: [{available: true, region: text}], note: text}));
const environments = CASES.map(text => ({environment_id: text, name: text, description: text}));
const folder = folderEntry('', CASES.map(text => fileEntry(text, {name: text, last_modified: text, mimetype: text})));

const LISTS: Readonly<Record<string, {readonly args: readonly string[]; readonly value: unknown; readonly heads: readonly Head[]; readonly cells: (text: string) => readonly string[]}>> = {
	servers: {
		args: ['servers'], value: servers, heads: [{name: 'NAME'}, {name: 'STATE'}, {name: 'ENVIRONMENT'}, {name: 'COMPUTE'}, {name: 'RATE /H', right: true}, {name: 'PORT', right: true}],
		cells: text => [label(text), label(text, 20), label(text), label(text)],
	},
	compute: {
		args: ['compute'], value: options, heads: [{name: 'COMPUTE'}, {name: 'GPU'}, {name: 'N', right: true}],
		cells: text => [label(computeIdOf(computeOption(text, {compute_id: text})).id), label(gpuModel({name: text}))],
	},
	environments: {args: ['environments'], value: environments, heads: [{name: 'ENVIRONMENT'}, {name: 'NAME'}, {name: 'DESCRIPTION'}], cells: text => [label(text), label(text)]},
	'files list': {args: ['files', 'list', 'calm'], value: folder, heads: [{name: 'NAME'}, {name: 'BYTES', right: true}, {name: 'CHANGED'}], cells: text => [label(text)]},
};

test.each(Object.entries(LISTS))(`${CASES.length} texts in every field: svc-tui %s, plain and --json, on a terminal and in a pipe`, async (_, {args, value, heads, cells}) => {
	await using service = await startHostileService({
		servers: () => success({servers}), compute: () => success({compute: options}), environments: () => success({environments}), file: () => success({content: folder}),
	});
	const {rows} = await onScreen(service, args);
	const last = rows.findLastIndex(row => row.join('').trim() !== '');
	const values = valuesBelow(rows, 0, Array.from({length: last}, (__, index) => index + 1), heads, COLUMNS, 2);
	const expected = CASES.map(cells);
	expect(values.map(row => row.slice(0, expected[0]?.length)).sort()).toEqual(expected.map(row => row.map(text => text.trim())).sort());
	const {stdout, stderr} = await runCommand(args, {home, env: service.env});
	expect(stdout + stderr).toMatch(PLAIN);
	await expectJson(service, args, value);
});

const done = 'd:{"finishReason":"stop","usage":{"promptTokens":1,"completionTokens":2}}';
const content = CASES.join('\n').toWellFormed().replaceAll('\0', '');
const outputs = CASES.flatMap(text => [
	{output_type: 'stream', name: 'stdout', text}, {output_type: 'stream', name: 'stderr', text}, {output_type: 'execute_result', data: {'text/plain': text}}, {output_type: 'display_data', data: {[text]: text}},
	{output_type: text}, {output_type: 'error', ename: text, evalue: text, traceback: [text]}, {output_type: 'error', ename: text, evalue: text},
]);
const WORK: Partial<Routes> = {
	file: ({path}) => success({content: fileEntry(path, {content})}),
	run: ({body}) => success({content: executedCell((JSON.parse(body) as {readonly code: string}).code, outputs)}),
	chat: () => stream('f:{"messageId":"m"}', ...CASES.flatMap(text => [...text.split('').map(unit => `0:${JSON.stringify(unit)}`), '0:"\\n"']), done),
};

test(`${CASES.length} texts as content of a file: svc-tui files get, plain and --json, on a terminal and byte for byte in a pipe`, async () => {
	await using service = await startHostileService(WORK);
	await onScreen(service, ['files', 'get', 'calm', 'a.txt']);
	expect((await runCommand(['files', 'get', 'calm', 'a.txt'], {home, env: service.env})).stdout).toBe(content);
	await expectJson(service, ['files', 'get', 'calm', 'a.txt'], fileEntry('a.txt', {content}));
});

test(`${CASES.length} texts as seven kinds of output: svc-tui run, plain and --json, on a terminal and as it is in a pipe`, async () => {
	await using service = await startHostileService(WORK);
	await onScreen(service, ['run', 'calm', '-c', '1']);
	const piped = await runCommand(['run', 'calm', '-c', '1'], {home, env: service.env});
	for (const text of CASES) expect(piped.stdout).toContain(text.toWellFormed());
	await expectJson(service, ['run', 'calm', '-c', '1'], executedCell('1', outputs));
});

test(`${CASES.length} texts as an answer, cut into single characters: svc-tui chat, plain and --json, on a terminal and as it is in a pipe`, async () => {
	await using service = await startHostileService(WORK);
	await onScreen(service, ['chat', 'calm', 'question']);
	const answer = CASES.map(text => `${text}\n`).join('');
	expect((await runCommand(['chat', 'calm', 'question'], {home, env: service.env})).stdout).toBe(answer.toWellFormed());
	await expectJson(service, ['chat', 'calm', 'question'], {messageId: 'm', content: answer, finishReason: 'stop', usage: {promptTokens: 1, completionTokens: 2}, complete: true});
});

const GROUPS = packs(280);

test(`${CASES.length} texts as name, url, token and message of a server: svc-tui server create and start, and files put with the path that it answers`, async () => {
	let group = '';
	await using service = await startHostileService({
		create: () => success(startedServer(group, {url: group, token: group, message: group, port_forward_url: group})),
		start: () => success(startedServer(group, {url: `https://lab.example/${group}?token=secret`, token: group, message: group})),
		servers: () => success({servers: [serverItem('asleep', {status: 'offline', status_reason: group})]}),
		upload: () => success({content: fileEntry(group, {content: null, format: null})}),
	});
	for (group of GROUPS) {
		const created = await onScreen(service, ['server', 'create', 'new', '--environment', 'ai', '--compute', 'svc-medium']);
		expect(created.text).toContain(label(group).slice(0, 40));
		const started = await onScreen(service, ['server', 'start', 'asleep']);
		expect(started.text).not.toContain('secret');
		expect((await onScreen(service, ['files', 'put', 'asleep', process.execPath.replace(/node$/, 'missing')])).code).not.toBe(0);
	}
	await expectJson(service, ['server', 'create', 'new', '--environment', 'ai', '--compute', 'svc-medium'], {status: 'success', ...startedServer(group, {url: group, token: group, message: group, port_forward_url: group})});
});

const answerAll = (answer: Answer): Partial<Routes> => ({servers: () => answer, compute: () => answer, environments: () => answer, file: () => answer, run: () => answer, chat: () => answer, create: () => answer, start: () => answer, upload: () => answer});

test(`${CASES.length} texts as why a service refuses: on a terminal, and as JSON`, async () => {
	await using service = await startHostileService();
	for (const [index, group] of GROUPS.entries()) {
		service.answer(answerAll(json({message: group}, [400, 404, 409, 500][index % 4])));
		const {text, code} = await onScreen(service, ['servers']);
		expect(code).toBeGreaterThan(0);
		expect(text).toContain(label(`): ${group.split(/[\r\n]/, 1)[0]?.slice(0, 300)}`).slice(0, 60));
	}
});

const whole = CASES.join(' ').toWellFormed();
const reason = whole.replaceAll(/[\r\n\0]/g, ' ').slice(0, 4000);
const ANSWERS: readonly (readonly [string, Answer])[] = [
	['an error page', {status: 500, type: 'text/html', body: `<html>${whole}</html>`}], ['a plain error', {status: 502, type: 'text/plain', body: whole}],
	['a hostile reason', {status: 500, reason, body: whole}], ['a login page', {status: 200, type: 'text/html', body: `<html>${whole}</html>`}],
	['half an answer', {status: 200, body: `{"status":"success","servers":[{"name":${JSON.stringify(whole)}`}], ['another status', json({status: whole, message: whole})],
	['another shape', json({status: 'success', [whole]: whole, servers: {[whole]: whole}, content: [whole]})],
];
const COMMANDS: readonly (readonly string[])[] = [
	['servers'], ['compute'], ['environments'], ['files', 'list', 'calm'], ['files', 'get', 'calm', 'a'], ['run', 'calm', '-c', '1'], ['chat', 'calm', 'question'],
	['server', 'create', 'new', '--environment', 'ai', '--compute', 'svc-medium'], ['server', 'start', 'calm'],
];

test.each(ANSWERS)(`${CASES.length} texts in %s: every command, plain and --json, on a terminal`, async (_, answer) => {
	await using service = await startHostileService(answerAll(answer));
	for (const args of COMMANDS) {
		const {code, text} = await onScreen(service, args);
		expect({args, code}).toEqual({args, code: expect.toSatisfy((each: number) => each > 0)});
		expect(text.split('\n').length).toBeLessThan(8);
		const asJson = await onScreen(service, [...args, '--json']);
		expect(asJson.code).toBe(code);
		expect(asJson.text).toMatch(PLAIN);
		for (const line of asJson.text.split('\n')) if (line !== '') expect(JSON.parse(line)).toHaveProperty('error.code');
	}
});
