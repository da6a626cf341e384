import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {MODELS} from '../contract/names.ts';
import {
	defaultModelsFile,
	ModelsError,
	readModels,
	type ModelSettings,
	type ModelsSettings,
} from '../settings/models.ts';
import {localDataFolder, paths} from '../machine/paths.ts';
import {pictureModeText, type PictureMode} from '../text/pixels/choose.ts';
import {clockTime} from '../text/clock.ts';
import {label} from '../text/safe.ts';
import type {Context} from './context.ts';
import {printJson} from './print.ts';
import {
	coloursText,
	columnsText,
	profileTexts,
	settingsReport,
	type FindKeyProblems,
} from './settings-report.ts';
import {tableText, type Column} from './table.ts';
import {hostOf} from '../settings/profile-store.ts';

/** Data about the program and the terminal, from the composition root. */
export type About = {
	readonly version: string;
	readonly node: string;
	/** Such as `linux x64`. */
	readonly platform: string;
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly terminal: {
		readonly input: boolean;
		readonly output: boolean;
		readonly columns: number | null;
		readonly rows: number | null;
		/** Number of colours. Null without a terminal. */
		readonly colours: number | null;
	};
	/** Queries the terminal. Null without a terminal. */
	readonly pictures: () => Promise<PictureMode | null>;
	/** Finds problems in the key settings. */
	readonly problemsOfKeys: FindKeyProblems;
	/** Engine that a local service would choose now. */
	readonly engine: {
		readonly name: 'embedded' | 'jupyter';
		/** Jupyter's program. Null for the embedded engine. */
		readonly program: string | null;
		readonly kernels: readonly string[];
		/** Access that the engine does not prevent, as a sentence. */
		readonly ungated: string;
	};
};

const isUtf8 = (env: About['env']): boolean =>
	/utf-?8/i.test(env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || '');

/**
 * Assistant of the local service. `problem`: reason why its models are unknown. Null if they are
 * known.
 */
type AssistantFacts = {
	readonly file: string;
	readonly problem: string | null;
	readonly models: ModelsSettings;
};

const assistantFacts = (): AssistantFacts => {
	const file = defaultModelsFile();
	try {
		return {file, problem: null, models: existsSync(file) ? readModels(file) : new Map()};
	} catch (error) {
		if (!(error instanceof ModelsError)) throw error;
		return {file, problem: error.message, models: new Map()};
	}
};

/** Source of a model's key, without reading the key. */
const keyOf = ({keyVariable, keyFile}: ModelSettings, env: About['env']): string | null => {
	if (keyVariable !== undefined) return `${keyVariable}, ${env[keyVariable] ? 'set' : 'not set'}`;
	return keyFile ?? null;
};

const modelFact = (model: ModelSettings | undefined, env: About['env']) =>
	model
		? {model: model.model, name: model.name ?? null, host: hostOf(model.baseUrl), key: keyOf(model, env)}
		: null;

const modelText = (facts: ReturnType<typeof modelFact> | undefined): string => {
	if (!facts) return 'built-in reference assistant';
	const {model, name, host, key} = facts;
	return `${name === null ? model : `${name} (${model})`} at ${host}${key === null ? '' : `, key from ${key}`}`;
};

/** Name of an engine in options and documentation. */
const engineWord = (engine: string): string => (engine === 'pyodide' ? 'embedded' : engine);

/** Running local service with its retained servers. Null if none runs. */
const runningFacts = async (context: Context) => {
	// Errors are ignored, because `info` must also work with an unusable data folder, whose
	// location it shows.
	const running = await context.running().catch(() => null);
	if (running === null) return null;
	const {pid, startedAt, leased, engine} = running;
	const kept = leased ? await running.kept() : null;
	return {
		pid,
		started: startedAt,
		engine: engine && engineWord(engine),
		leased,
		programs: kept?.held ?? null,
		kept:
			kept?.servers.map(each => ({name: each.name, engine: engineWord(each.engine), until: kept.until})) ??
			[],
	};
};

const runningTexts = (facts: Awaited<ReturnType<typeof runningFacts>>): Readonly<Record<string, string>> => {
	if (facts === null) return {running: 'no'};
	const {pid, leased, programs, kept} = facts;
	const use = !leased
		? ', started with svc-tui serve'
		: !programs
			? ''
			: `, used by ${programs} program${programs === 1 ? '' : 's'}`;
	const rows = kept.map(({name, engine, until}) => [
		name,
		`${engine}, has run code; ${until === null ? 'kept after the last program exits' : `kept until ${clockTime(Date.parse(until))}`}`,
	]);
	return {running: `process ${pid}${use}`, ...Object.fromEntries(rows)};
};

const factsOf = async (context: Context, about: About) => {
	const {version, node, platform, env, terminal, engine, problemsOfKeys} = about;
	const {config, data, state, cache} = paths();
	const service = localDataFolder();
	const {file, problem, models} = assistantFacts();
	const pictures = await about.pictures();
	return {
		versions: {'svc-tui': version, node, platform},
		paths: {config, data, state, cache, service, log: join(service, 'service.log')},
		...settingsReport(problemsOfKeys),
		service: {
			// Only the host, because the address may contain a password by mistake.
			SVC_BASE_URL: env['SVC_BASE_URL'] ? hostOf(env['SVC_BASE_URL']) : null,
			SVC_API_KEY: env['SVC_API_KEY'] ? 'set' : null,
			SVC_KEEP_KERNELS: env['SVC_KEEP_KERNELS'] || null,
		},
		terminal: {
			...terminal,
			...Object.fromEntries(
				['TERM', 'COLORTERM', 'NO_COLOR', 'FORCE_COLOR'].map(name => [name, env[name] ?? null]),
			),
			utf8: isUtf8(env),
			ssh: env['SSH_CONNECTION'] !== undefined,
			multiplexer: env['TMUX'] ? 'tmux' : env['STY'] ? 'screen' : null,
			pictures:
				pictures === null
					? 'not checked: standard input or output is not a terminal'
					: pictureModeText(pictures),
		},
		local: await runningFacts(context),
		assistant: {
			file,
			problem,
			models:
				problem === null ? Object.fromEntries(MODELS.map(id => [id, modelFact(models.get(id), env)])) : null,
		},
		engine: {SVC_ENGINE: env['SVC_ENGINE'] || null, ...engine},
	};
};

type Row = {readonly group: string; readonly name: string; readonly value: string};
const COLUMNS = (['group', 'name', 'value'] as const).map((field): Column<Row> => ({
	head: '',
	value: row => row[field],
}));

const shown = (value: unknown): string =>
	value === null ? '-' : typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);

/** Runs `info`. It needs neither a key nor a network, and starts nothing. */
export const showInfo = async (context: Context, about: About): Promise<void> => {
	const facts = await factsOf(context, about);
	if (context.json) return printJson(context, facts);
	const {
		engine,
		assistant: {file, problem, models},
		profiles,
		versions,
		paths: places,
		settings,
		local,
		...others
	} = facts;
	const answering =
		problem !== null ? {problem} : Object.fromEntries(MODELS.map(id => [id, modelText(models?.[id])]));
	const {ungated, kernels, ...running} = engine;
	const groups = {
		versions,
		paths: places,
		settings: {...settings, colours: coloursText(settings.colours), columns: columnsText(settings.columns)},
		profiles: profileTexts(profiles),
		...others,
		'local service': runningTexts(local),
		engine: {...running, kernels: kernels.join(', ')},
		'local assistant': {settings: file, ...answering},
	};
	const rows: readonly Row[] = Object.entries(groups).flatMap(([group, values]) =>
		Object.entries(values).map(([name, value], index) => ({
			group: index === 0 ? group : '',
			name,
			value: label(shown(value), 1000),
		})),
	);
	await context.stdout.write(`${tableText(COLUMNS, rows, Infinity).trimStart()}\n${ungated}\n`);
};
