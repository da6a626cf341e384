import * as z from 'zod';
import {join} from 'node:path';
import {MODELS} from '../contract/names.ts';
import {addressFault, addressField, contentOfFile, schemaField, textField, unknownField} from './fields.ts';
import {readJson} from './json-text.ts';
import {paths} from '../machine/paths.ts';
import {isLoopback} from '../machine/loopback.ts';
import {withoutEnd} from '../text/ends.ts';

// Headers sent with each question to a model. They are in the settings, so must not contain a key.
const NAME = /^[\w!#$%&'*+.^`|~-]{1,64}$/;
/** Headers that the request itself sets. */
const OWN = /^(?:host|connection|content-.*|accept|te|trailer|transfer-encoding|upgrade|expect|keep-alive)$/i;
const SECRET_NAME = /key|token|secret|passw|auth|cookie|credential|signature/i;
/** Keys as providers issue them, also with the scheme before them in an Authorization header. */
const SECRET_VALUE = /^(?:bearer|basic|token)\s|\b(?:sk|pk|hf|gsk|xai|nvapi|ghp|glpat|AIza)[-_]?[\w-]{12,}/i;
const MOST = 20;

const headerName = z
	.string('must be the name of a header, as in "api-key"')
	.regex(NAME, 'is not the name of a header; do not put the key itself here')
	.refine(name => !OWN.test(name), 'is a header that the request itself needs; use another');

const faultOf = (name: string, value: unknown, noKey: string): string | undefined => {
	if (SECRET_NAME.test(name)) return `names a secret: ${noKey}, and its header with "keyHeader"`;
	if (!NAME.test(name)) return 'has an invalid header name';
	if (OWN.test(name)) return `contains ${name.toLowerCase()}, which the request itself needs; remove it`;
	if (typeof value !== 'string' || !/^[\u0020-\u007E]{1,1000}$/.test(value))
		return 'must be texts of 1 to 1000 printable ASCII characters';
	return SECRET_VALUE.test(value) ? `contains a key: ${noKey}, and its header with "keyHeader"` : undefined;
};

/** `noKey`: advice on where a key belongs. */
const headersField = (noKey: string) =>
	z
		.record(z.string(), z.unknown(), 'must be an object of names and texts, as in {"x-title": "Notebooks"}')
		.transform((headers, {addIssue}) => {
			const entries = Object.entries(headers);
			const fault =
				entries.length > MOST
					? `has more than ${MOST} headers`
					: entries.map(([name, value]) => faultOf(name, value, noKey)).find(each => each !== undefined);
			if (fault !== undefined) addIssue(fault);
			return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
		});

/**
 * A model that answers as one of the assistant's models: any server with OpenAI's chat completions
 * API.
 */
export type ModelSettings = {
	/** Address without a trailing slash. */
	readonly baseUrl: string;
	/** Name of the model on its server. */
	readonly model: string;
	readonly name?: string | undefined;
	/** Environment variable with the key. */
	readonly keyVariable?: string | undefined;
	/** File with the key. The path is as in the settings; see `model-keys.ts`. */
	readonly keyFile?: string | undefined;
	/** Header for the bare key, instead of `authorization: Bearer`. */
	readonly keyHeader?: string | undefined;
	readonly headers?: Readonly<Record<string, string>> | undefined;
	/** Prompt that is added to the program's own prompt about the server. */
	readonly systemPrompt?: string | undefined;
	readonly temperature?: number | undefined;
	/** Longest silence of the model server, in seconds. 300 by default. */
	readonly silence?: number | undefined;
	/** Address of a proxy, or `none`. By default, the environment's proxies apply. */
	readonly proxy?: string | undefined;
	/** Allows plain HTTP to other machines. */
	readonly insecureHttp?: boolean | undefined;
};

/** Model settings by name of the assistant's model, such as `model_2`. */
export type ModelsSettings = ReadonlyMap<string, ModelSettings>;

/** Problem with the models file or one of its keys, and the fix. Never quotes the value. */
export class ModelsError extends Error {
	/** True if other users can read a key file. */
	readonly unsafe: boolean;
	constructor(message: string, {unsafe = false}: {readonly unsafe?: boolean} = {}) {
		super(message);
		this.unsafe = unsafe;
	}
}

const EXAMPLE = '{"baseUrl": "http://127.0.0.1:11434/v1", "model": "llama3"}';
const SILENCE = 'must be the longest silence of the model in seconds, from 1 to 86400, as in 600';
const NO_KEY =
	'do not put keys in this file; use "keyFile" (a chmod 600 file) or "keyVariable" (an environment variable)';

const fields = {
	baseUrl: addressField('the address of the model server', {
		example: 'http://127.0.0.1:11434/v1',
		instead: NO_KEY,
		more: ({pathname}) =>
			/\/chat\/completions\/?$/.test(pathname) ? 'ends in /chat/completions; leave that part out' : undefined,
	}).transform(address => withoutEnd(address, '/')),
	model: textField('the name by which the server knows the model, as in "llama3"'),
	name: textField('a display name', 60).optional(),
	keyVariable: textField('the name of an environment variable, as in "OPENAI_API_KEY"')
		// Rejects most API keys, which mix upper and lower case.
		.regex(
			/^([A-Z_][A-Z0-9_]*|[a-z_][a-z0-9_]*)$/,
			'is not the name of an environment variable; give the variable that contains the key, not the key itself',
		)
		.refine(
			name => name !== 'SVC_API_KEY',
			'is the key of the notebook service, which models must not get; use another variable',
		)
		.optional(),
	keyFile: textField('the path of a file that contains the key', 4096).optional(),
	insecureHttp: z.boolean('must be true or false').optional(),
	keyHeader: headerName.optional(),
	headers: headersField(NO_KEY).optional(),
	systemPrompt: z
		.string('must be text: the prompt for the model before each conversation')
		.trim()
		.min(1, 'is empty: remove it, or write a prompt')
		.max(20_000, 'is longer than 20,000 characters')
		.regex(/^[\P{C}\n\t]*$/u, 'contains a control character; retype it')
		.optional(),
	temperature: z
		.number('must be a number from 0 to 2, as in 0.2')
		.min(0, 'must be a number from 0 to 2, as in 0.2')
		.max(2, 'must be a number from 0 to 2, as in 0.2')
		.optional(),
	silence: z.number(SILENCE).int(SILENCE).min(1, SILENCE).max(86_400, SILENCE).optional(),
	proxy: textField('the address of a proxy, as in "http://proxy.example:3128", or "none"')
		.superRefine((address, {addIssue}) => {
			const fault =
				address === 'none'
					? undefined
					: addressFault(address, {
							example: 'http://proxy.example:3128',
							instead: 'a proxy with a password belongs in HTTPS_PROXY',
						});
			if (fault !== undefined) addIssue(fault);
		})
		.optional(),
};

const model = z
	.strictObject(fields, `must be an object such as ${EXAMPLE}`)
	.superRefine(({baseUrl, insecureHttp, keyVariable, keyFile, keyHeader}, {addIssue}) => {
		const url = URL.parse(baseUrl);
		if (url?.protocol === 'http:' && !isLoopback(url.hostname) && insecureHttp !== true) {
			const message =
				'sends questions and key unencrypted; use https, or set "insecureHttp": true on a network of your own';
			addIssue({code: 'custom', path: ['baseUrl'], message});
		}
		if (keyVariable !== undefined && keyFile !== undefined)
			addIssue({code: 'custom', path: ['keyFile'], message: 'cannot be combined with "keyVariable"'});
		if (keyHeader !== undefined && keyVariable === undefined && keyFile === undefined)
			addIssue({
				code: 'custom',
				path: ['keyHeader'],
				message: 'has no key; name one with "keyFile" or "keyVariable"',
			});
	});

const describe = (issue: z.core.$ZodIssue): string => {
	const place = issue.path.join('.');
	if (issue.code !== 'unrecognized_keys') return `${place || 'it'} ${issue.message}`;
	const known =
		place === ''
			? `the models of the assistant are ${MODELS.join(', ')}`
			: `a model has ${Object.keys(fields).join(', ')}`;
	return unknownField(issue, known, NO_KEY);
};

type Models = Record<(typeof MODELS)[number], z.ZodOptional<typeof model>>;

/** Schema of the models file. */
export const modelsFile = () =>
	z.strictObject(
		{$schema: schemaField, ...(Object.fromEntries(MODELS.map(id => [id, model.optional()])) as Models)},
		`must be an object such as {"model_2": ${EXAMPLE}}`,
	);

/** Models file of the local service. */
export const defaultModelsFile = (): string => join(paths().config, 'models.json');

const readText = (file: string): string => {
	const fail = (why: string): ModelsError =>
		new ModelsError(`The models file ${file} cannot be read: ${why}.`);
	const text = contentOfFile(file, 'name another with --models', fail);
	if (text === undefined) throw fail('there is no such file; name another with --models');
	return text;
};

const parseText = (file: string, content: string): unknown => {
	const read = readJson(content, {isStrict: true});
	if ('value' in read) return read.value;
	throw new ModelsError(
		`${file}: line ${read.faultLine} is not JSON; the file should look like {"model_2": ${EXAMPLE}}.`,
	);
};

/**
 * Reads the configured models. The assistant's other models use the built-in assistant.
 * @throws {ModelsError} with the file, the line or field, and the fix.
 */
export const readModels = (file: string): ModelsSettings => {
	const parsed = modelsFile().safeParse(parseText(file, readText(file)));
	if (!parsed.success)
		throw new ModelsError(`${file}: ${parsed.error.issues.slice(0, 3).map(describe).join('; ')}.`);
	const {$schema: _, ...models} = parsed.data;
	return new Map(
		Object.entries(models).flatMap(([id, settings]) => (settings ? [[id, settings] as const] : [])),
	);
};
