import {execFileSync} from 'node:child_process';
import {mkdirSync, writeFileSync} from 'node:fs';
import {homedir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {MODELS} from '../../../src/contract/names.ts';
import {openAssistantModels} from '../../../src/service/assistant/models/assistant-models.ts';
import {startService} from '../../../src/service/serve.ts';
import {createModelKeys, loadModelKeys} from '../../../src/settings/model-keys.ts';
import {readModels} from '../../../src/settings/models.ts';
import {tempFolder} from '../../support/temp-folder.ts';
import {CANARY, keyFileIn} from './support.ts';

const OLLAMA = {baseUrl: 'http://127.0.0.1:11434/v1', model: 'llama3'};

/** Writes the settings to a file. Returns the error of reading them. */
const written = (content: unknown) => {
	const temp = tempFolder();
	const file = join(temp.path, 'models.json');
	writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
	return {
		file,
		folder: temp.path,
		read: () => readModels(file),
		fault(): string {
			try {
				readModels(file);
			} catch (error) {
				return (error as Error).message.replace(file, 'FILE');
			}
			return 'none';
		},
		[Symbol.dispose]: () => temp[Symbol.dispose](),
	};
};

test("each of the assistant's models has its own settings, regardless of others", () => {
	using settings = written({
		model_1: OLLAMA,
		model_2: {
			baseUrl: 'https://api.example.com/v1/',
			model: 'gpt',
			keyVariable: 'EXAMPLE_KEY',
			name: 'Example',
		},
		model_3: {baseUrl: 'http://localhost:1/v1', model: 'a'},
		model_4: {baseUrl: 'http://[::1]:1/v1', model: 'a', keyFile: 'key'},
		model_5: {baseUrl: 'http://gpu.example:8000/v1', model: 'a', insecureHttp: true},
	});
	const models = settings.read();
	expect([...models.keys()]).toEqual([...MODELS]);
	expect(models.get('model_2')).toEqual({
		baseUrl: 'https://api.example.com/v1',
		model: 'gpt',
		keyVariable: 'EXAMPLE_KEY',
		name: 'Example',
	});
});

const model = (more: object) => ({model_2: {...OLLAMA, ...more}});
const NO_KEY =
	/: do not put keys in this file; use "keyFile" \(a chmod 600 file\) or "keyVariable" \(an environment variable\)/;

const faults: readonly (readonly [what: string, content: unknown, said: RegExp])[] = [
	[
		'no JSON',
		'{\n\t"model_2": {\n\t\t"model": llama3\n\t}\n}',
		/^FILE: line 3 is not JSON; the file should look like \{"model_2": \{"baseUrl": /,
	],
	['a comma too many', '{\n"model_2": {\n"model": "a",\n}\n}', /^FILE: line 4 is not JSON/],
	['an end in the middle', '{\n"model_2": {\n"model": "a"', /^FILE: line 3 is not JSON/],
	['nothing', '', /^FILE: line 1 is not JSON/],
	['a list', [], /^FILE: it must be an object such as/],
	[
		'a slot that is not there',
		{model_9: OLLAMA},
		/^FILE: model_9 is unknown; the models of the assistant are model_1, model_2, model_3, model_4, model_5\.$/,
	],
	['a text as a slot', {model_2: CANARY}, /^FILE: model_2 must be an object such as/],
	[
		'no address',
		{model_2: {model: 'a'}},
		/^FILE: model_2\.baseUrl must be text: the address of the model server, as in "http:\/\/127\.0\.0\.1:11434\/v1"\.$/,
	],
	[
		'no model',
		{model_2: {baseUrl: OLLAMA.baseUrl}},
		/^FILE: model_2\.model must be text: the name by which the server knows the model/,
	],
	['an empty model', model({model: ' '}), /model_2\.model is empty: give the name/],
	['a control character', model({name: 'a\u001Bb'}), /model_2\.name contains a control character/],
	[
		'an unknown field',
		model({warmth: 1}),
		/model_2\.warmth is unknown; a model has baseUrl, model, name, keyVariable, keyFile, insecureHttp, keyHeader, headers, systemPrompt, temperature, silence, proxy\.$/,
	],
	[
		'an address that is none',
		model({baseUrl: CANARY}),
		/model_2\.baseUrl is not an address; write one such as/,
	],
	['another protocol', model({baseUrl: 'ftp://a/v1'}), /model_2\.baseUrl is not an address/],
	[
		'a whole path',
		model({baseUrl: 'http://127.0.0.1/v1/chat/completions'}),
		/ends in \/chat\/completions; leave that part out/,
	],
	[
		'plain HTTP to another machine',
		model({baseUrl: 'http://gpu.example/v1'}),
		/model_2\.baseUrl sends questions and key unencrypted; use https, or set "insecureHttp": true/,
	],
	[
		'a name that only looks like this machine',
		model({baseUrl: 'http://127.0.0.1.example/v1'}),
		/unencrypted/,
	],
	[
		'two sources of the key',
		model({keyVariable: 'A', keyFile: 'b'}),
		/model_2\.keyFile cannot be combined with "keyVariable"/,
	],
	['the key as apiKey', model({apiKey: CANARY}), new RegExp(`model_2\\.apiKey${NO_KEY.source}`)],
	['the key as key', model({key: CANARY}), NO_KEY],
	['the key as a header', model({headers: {Authorization: `Bearer ${CANARY}`}}), NO_KEY],
	['the key in a header of another name', model({headers: {'X-Api-Key': CANARY}}), NO_KEY],
	['the key in a harmless header', model({headers: {'X-Title': CANARY}}), NO_KEY],
	[
		'a header of the request',
		model({headers: {Host: 'evil.example'}}),
		/model_2\.headers contains host, which/,
	],
	[
		'a header that ends',
		model({headers: {'x-title': 'a\r\nx: y'}}),
		/model_2\.headers must be texts of 1 to/,
	],
	['a header that is no text', model({headers: {'x-title': 1}}), /model_2\.headers must be texts of 1 to/],
	['headers as a list', model({headers: ['x']}), /model_2\.headers must be an object of names and texts/],
	['a header for no key', model({keyHeader: 'api-key'}), /model_2\.keyHeader has no key; name one with/],
	[
		'the key as the name of its header',
		model({keyHeader: `${CANARY} x`, keyFile: 'a'}),
		/model_2\.keyHeader is not the name of a header/,
	],
	[
		'a silence without an end',
		model({silence: 0}),
		/model_2\.silence must be the longest silence of the model/,
	],
	['a silence as text', model({silence: '5m'}), /model_2\.silence must be the longest silence .* as in 600/],
	['a warm model', model({temperature: 3}), /model_2\.temperature must be a number from 0 to 2/],
	['an empty system prompt', model({systemPrompt: ' '}), /model_2\.systemPrompt is empty/],
	[
		'a screen in the system prompt',
		model({systemPrompt: '\u001B[2J'}),
		/systemPrompt contains a control character/,
	],
	[
		'a proxy that is none',
		model({proxy: 'socks5://a:1'}),
		/model_2\.proxy is not an address; write one such as/,
	],
	[
		'a password in a proxy',
		model({proxy: `http://user:${CANARY}@a:1`}),
		/model_2\.proxy contains a user name or password; remove it: a proxy with a password belongs in HTTPS_PROXY/,
	],
	['the key beside the slots', {apiKey: CANARY}, NO_KEY],
	['the key as a name', model({[CANARY]: true}), /FILE: a field of model_2/],
	[
		'the key as a variable',
		model({keyVariable: CANARY}),
		/is not the name of an environment variable; give the variable that contains the key/,
	],
	[
		'another key as a variable',
		model({keyVariable: 'hf_AbCdEfGh123'}),
		/is not the name of an environment variable/,
	],
	[
		'the key of the service',
		model({keyVariable: 'SVC_API_KEY'}),
		/is the key of the notebook service, which models must not get/,
	],
	[
		'the key in the address',
		model({baseUrl: `https://user:${CANARY}@api.example.com/v1`}),
		/model_2\.baseUrl contains a user name or password; remove it: do not put keys/,
	],
	[
		'the key in a query',
		model({baseUrl: `https://api.example.com/v1?key=${CANARY}`}),
		/must not contain "\?" or "#"/,
	],
];

test.each(faults)(
	'%s is refused with the file, the place and the fix, and no value is repeated',
	(_, content, said) => {
		using settings = written(content);
		const fault = settings.fault();
		expect(fault).toMatch(said);
		expect(fault).not.toMatch(/canary|AbCd/);
		expect(fault).not.toContain('\n');
	},
);

test('several mistakes are reported together', () => {
	using settings = written({model_1: {model: 1}, model_2: {...OLLAMA, apiKey: CANARY}});
	expect(settings.fault()).toMatch(/model_1\.baseUrl .*; model_1\.model .*; model_2\.apiKey: /);
});

const keysOf = (
	settings: {readonly file: string; readonly read: () => ReturnType<typeof readModels>},
	environment: NodeJS.ProcessEnv = {},
) => loadModelKeys(settings.read(), settings.file, environment);

test('keys come from files, relative to the settings, and from variables, which no other process receives', () => {
	using settings = written({
		model_1: {...OLLAMA, keyFile: 'model.key'},
		model_2: {...OLLAMA, keyVariable: 'A_KEY'},
		model_3: {...OLLAMA, keyVariable: 'A_KEY'},
		model_4: {...OLLAMA, keyVariable: 'NOT_SET'},
		model_5: OLLAMA,
	});
	keyFileIn(settings.folder, CANARY);
	const environment = {A_KEY: 'other', PATH: 'p'};
	expect(Object.fromEntries(keysOf(settings, environment))).toEqual({
		model_1: CANARY,
		model_2: 'other',
		model_3: 'other',
	});
	expect(environment).toEqual({PATH: 'p'});
});

test('the key of a variable is remembered when the settings are read again, and a new variable is found', () => {
	using settings = written(OLLAMA);
	const environment: NodeJS.ProcessEnv = {A_KEY: 'first', B_KEY: 'second'};
	const keys = createModelKeys(settings.file, environment);
	const of = (keyVariable: string) => keys(new Map([['model_2', {...OLLAMA, keyVariable}]])).get('model_2');
	expect([of('A_KEY'), environment]).toEqual(['first', {B_KEY: 'second'}]);
	expect([of('A_KEY'), of('B_KEY'), of('A_KEY'), of('NOT_SET')]).toEqual([
		'first',
		'second',
		'first',
		undefined,
	]);
	expect(environment).toEqual({});
});

test.each([0o640, 0o604, 0o660, 0o644])('a key file of mode %o is refused, and the fix is named', mode => {
	using settings = written(model({keyFile: 'model.key'}));
	const file = keyFileIn(settings.folder, CANARY, mode);
	expect(() => keysOf(settings)).toThrow(
		`${settings.file}: model_2.keyFile ${file} must be private; run chmod 600 on it.`,
	);
});

test('a key file that is missing, a folder, a pipe, empty or no key is named in the error', () => {
	using settings = written(model({keyFile: 'model.key'}));
	const file = join(settings.folder, 'model.key');
	expect(() => keysOf(settings)).toThrow(
		`model_2.keyFile ${file} cannot be read (ENOENT); put the key there, or name another file.`,
	);
	keyFileIn(settings.folder, '');
	expect(() => keysOf(settings)).toThrow('model_2.keyFile names a file without a usable key');
	keyFileIn(settings.folder, `${CANARY} and more`);
	expect(() => keysOf(settings)).toThrow(/^(?!.*canary).*without a usable key/);
	using folder = written(model({keyFile: 'folder'}));
	mkdirSync(join(folder.folder, 'folder'), {mode: 0o700});
	expect(() => keysOf(folder)).toThrow('is not a file');
	using pipe = written(model({keyFile: 'pipe'}));
	execFileSync('mkfifo', ['-m', '600', join(pipe.folder, 'pipe')]);
	expect(() => keysOf(pipe)).toThrow('is not a file');
	using home = written(model({keyFile: '~/svc-tui-test-no-such-file'}));
	expect(() => keysOf(home)).toThrow(join(homedir(), 'svc-tui-test-no-such-file'));
	expect(() =>
		keysOf(
			{...settings, read: () => new Map([['model_2', {...OLLAMA, keyVariable: 'A_KEY'}]])},
			{A_KEY: `${CANARY} x`},
		),
	).toThrow(/^(?!.*canary).*model_2\.keyVariable names a variable without a usable key/);
});

test('a service with settings that cannot be used does not start: 2, and 77 for an open key file', async () => {
	using settings = written(model({keyFile: 'model.key'}));
	const start = async () =>
		startService({
			port: 0,
			leased: false,
			dataFolder: join(settings.folder, 'data'),
			modelsFile: settings.file,
		});
	await expect(start()).rejects.toMatchObject({exitCode: 2, message: expect.stringContaining('ENOENT')});
	keyFileIn(settings.folder, CANARY, 0o644);
	await expect(start()).rejects.toMatchObject({exitCode: 77, message: expect.stringContaining('chmod 600')});
	keyFileIn(settings.folder, CANARY);
	await (await start()).close();
	expect(() => openAssistantModels(join(settings.folder, 'nothing.json'))).toThrow(
		/nothing\.json cannot be read: there is no such file/,
	);
	expect(openAssistantModels(undefined)().size).toBe(0);
});
