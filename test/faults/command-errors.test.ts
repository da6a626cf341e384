// @module-tag long
import {afterAll, beforeAll, expect, test, vi} from 'vitest';
import {label} from '../../src/text/safe.ts';
import {newHome, type Home} from '../support/program.ts';
import {runHere} from '../support/run-here.ts';
import {asReason} from './columns.ts';
import {CASES, packs} from './hostile-cases.ts';
import {json, startHostileService, type Answer, type Routes} from './hostile-service.ts';
import {OWN_CONTROLS} from './watched-screen.ts';
import {onScreen, PLAIN} from './watched-command.ts';

// A single run covers all texts; a busy machine may need longer than the usual minute.
vi.setConfig({testTimeout: 240_000});

let home: Home;
beforeAll(async () => {
	home = await newHome();
});
afterAll(async () => home[Symbol.asyncDispose]());

const answerAll = (answer: Answer): Partial<Routes> => ({
	servers: () => answer,
	compute: () => answer,
	environments: () => answer,
	file: () => answer,
	run: () => answer,
	chat: () => answer,
	create: () => answer,
	start: () => answer,
	upload: () => answer,
});

/** Checks that each line is a JSON object without terminal controls. */
const expectErrors = (text: string): void => {
	expect(text).toMatch(PLAIN);
	for (const line of text.split('\n')) if (line !== '') expect(JSON.parse(line)).toHaveProperty('error.code');
};

const GROUPS = packs(280);

test(`${CASES.length} texts in ${GROUPS.length} groups as why a service refuses: on a terminal`, async () => {
	await using service = await startHostileService();
	for (const [index, group] of GROUPS.entries()) {
		const marked = `#${index + 1} ${group}`;
		service.answer(answerAll(json({message: marked}, [400, 404, 409, 500][index % 4])));
		const {text, code} = await onScreen(['servers'], {home, env: service.env});
		expect(code).toBeGreaterThan(0);
		expect(text).toContain(label(`): ${asReason(marked)}`).slice(0, 60));
	}
});

const whole = CASES.join(' ').toWellFormed();
const reason = whole.replaceAll(/[\r\n\0]/g, ' ').slice(0, 4000);
const ANSWERS: readonly (readonly [string, Answer])[] = [
	['an error page', {status: 500, type: 'text/html', body: `<html>${whole}</html>`}],
	['a plain error', {status: 502, type: 'text/plain', body: whole}],
	['a hostile reason', {status: 500, reason, body: whole}],
	[
		'a reason and headers of Latin-1',
		{
			status: 404,
			reason: '\u009D0;t\u009C \u00AD',
			head: ['x-\u00FF: \u009B2J', 'retry-after: \u009B2J'],
			body: whole,
		},
	],
	[
		'a redirect to a hostile place',
		{status: 302, head: ['location: http://\u009B2J.example/\u009D52;c;aGk=\u009C'], body: whole},
	],
	['a login page', {status: 200, type: 'text/html', body: `<html>${whole}</html>`}],
	['half an answer', {status: 200, body: `{"status":"success","servers":[{"name":${JSON.stringify(whole)}`}],
	['another status', json({status: whole, message: whole})],
	['another shape', json({status: 'success', [whole]: whole, servers: {[whole]: whole}, content: [whole]})],
];
const COMMANDS: readonly (readonly string[])[] = [
	['servers'],
	['compute'],
	['environments'],
	['files', 'list', 'calm'],
	['files', 'get', 'calm', 'a'],
	['files', 'put', 'calm', '/etc/hostname', 'b'],
	['run', 'calm', '-c', '1'],
	['chat', 'calm', 'question'],
	['server', 'create', 'new', '--environment', 'ai', '--compute', 'svc-medium'],
	['server', 'start', 'calm'],
	['compute', 'watch', '--timeout', '0.01'],
];

test.each(ANSWERS.map((answer, index) => [...answer, index] as const))(
	`${CASES.length} texts in %s: svc-tui's commands, plain and --json, on a terminal`,
	async (_, answer, index) => {
		await using service = await startHostileService(answerAll(answer));
		// Each command, in both forms, receives the first response. Each other response is sent to
		// a third of the commands, in either form.
		const runs = COMMANDS.flatMap((args, each) =>
			index === 0
				? [args, [...args, '--json']]
				: (each + index) % 3 === 0
					? [(each + index) % 2 === 0 ? [...args, '--json'] : args]
					: [],
		);
		for (const args of runs) {
			const {code, text} = await onScreen(args, {home, env: service.env});
			expect({args, code}).toEqual({args, code: expect.toSatisfy((found: number) => found > 0)});
			if (args.includes('--json')) expectErrors(text);
			else expect(text.split('\n').length).toBeLessThan(8);
		}
	},
);

/** Arguments cannot contain a NUL or an unpaired surrogate. */
const typed = whole.replaceAll('\0', '').slice(0, 4000);
const TYPED: readonly (readonly [string, readonly string[]])[] = [
	['a command', [typed]],
	['an option', [`--${typed}`]],
	['an option of the screens', ['--base-url', 'http://127.0.0.1:1', `-${typed}`]],
	['a base URL', ['--base-url', typed, 'servers']],
	['a key file', ['--api-key-file', typed.slice(0, 200), 'servers']],
	['a command of a noun', ['server', typed]],
	['a server', ['files', 'list', typed]],
	['a path', ['files', 'get', 'calm', typed]],
	['a local file', ['files', 'put', 'calm', typed.slice(0, 200)]],
	['a file to write to', ['files', 'get', 'calm', 'plain.txt', '-o', `${typed.slice(0, 200)}/x`]],
	['a file of code', ['run', 'calm', typed.slice(0, 200)]],
	['a model', ['chat', 'calm', 'question', '-m', typed]],
	['a port', ['server', 'create', 'new', '--environment', 'ai', '--compute', 'c', '--port', typed]],
	['a region and a GPU that are not there', ['compute', '--region', typed, '--gpu', typed]],
	['a query', ['compute', '--query', typed]],
	['an order', ['compute', '--sort', typed]],
	['an option of serve', ['serve', `--${typed}`]],
	['a port of serve', ['serve', '--port', typed]],
	['a folder of serve', ['serve', '--data', `/dev/null/${typed.slice(0, 200)}`]],
	['a list of keys', ['serve', '--keys', typed.slice(0, 200)]],
	['a catalogue', ['serve', '--catalogue', typed.slice(0, 200)]],
	['a list of models', ['serve', '--models', typed.slice(0, 200)]],
	['a host', ['serve', '--host', typed.slice(0, 200)]],
];

test.each(TYPED)(
	`texts typed as %s: the command's messages about them, plain and --json, on a terminal`,
	async (_, args) => {
		await using service = await startHostileService({
			run: () => json({message: whole}, 404),
			file: ({path}) =>
				path === 'plain.txt' ? json({status: 'success', content: {}}) : json({message: whole}, 404),
		});
		const isForScreens = args.at(-1)?.startsWith('-') && args[0] !== 'serve';
		const at = {home, env: service.env, ...(isForScreens && {own: [...OWN_CONTROLS.keys()]})};
		const {code, text} = await onScreen(args, at);
		expect(code === 0 ? 'told beside an answer' : text).not.toBe('');
		// `serve` and the screens do not accept `--json`.
		if (args[0] === 'serve' || isForScreens) return;
		const {stdout, stderr} = await runHere(['--json', ...args], at);
		expect(stdout + stderr).toMatch(PLAIN);
	},
);

test('texts in the environment: svc-tui info and servers, plain and --json, on a terminal', async () => {
	for (const asJson of [[], ['--json']]) {
		const env = {
			SVC_BASE_URL: typed,
			SVC_API_KEY: typed,
			NO_COLOR: typed,
			COLORTERM: typed,
			XDG_CONFIG_HOME: `/${typed.slice(0, 200)}`,
		};
		const {code, text} = await onScreen(['info', ...asJson], {home, env});
		expect(code).toBe(0);
		expect(text).toMatch(PLAIN);
		expect((await onScreen(['servers', ...asJson], {home, env})).code).toBe(2);
	}
});
