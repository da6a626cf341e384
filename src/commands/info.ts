import {join} from 'node:path';
import {localDataFolder, paths} from '../settings/paths.ts';
import {label} from '../text/safe.ts';
import type {Context} from './context.ts';
import {printJson} from './print.ts';
import {tableText, type Column} from './table.ts';

/** What the composition root knows of the program and the terminal. */
export type About = {
	readonly version: string;
	readonly node: string;
	/** As `linux x64`. */
	readonly platform: string;
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly terminal: {readonly input: boolean; readonly output: boolean; readonly columns: number | null; readonly rows: number | null; /** Bits. */ readonly colours: number | null};
	/** What the embedded engine does not keep code from. */
	readonly ungated: string;
};

const isUtf8 = (env: About['env']): boolean => /utf-?8/i.test(env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || '');

const hostOf = (address: string): string => URL.parse(address)?.host ?? 'not an address';

const factsOf = ({version, node, platform, env, terminal, ungated}: About) => {
	const {config, data, state, cache} = paths();
	const service = localDataFolder();
	return {
		versions: {'svc-tui': version, node, platform},
		paths: {config, data, state, cache, service, log: join(service, 'service.log')},
		service: {
			// Only the host: an address may hold a password by mistake.
			SVC_BASE_URL: env['SVC_BASE_URL'] ? hostOf(env['SVC_BASE_URL']) : null,
			SVC_API_KEY: env['SVC_API_KEY'] ? 'set' : null,
		},
		terminal: {
			...terminal,
			TERM: env['TERM'] ?? null,
			COLORTERM: env['COLORTERM'] ?? null,
			NO_COLOR: env['NO_COLOR'] ?? null,
			utf8: isUtf8(env),
			ssh: env['SSH_CONNECTION'] !== undefined,
			multiplexer: env['TMUX'] ? 'tmux' : env['STY'] ? 'screen' : null,
		},
		engine: {ungated},
	};
};

type Row = {readonly group: string; readonly name: string; readonly value: string};
const COLUMNS: readonly Column<Row>[] = [
	{head: '', value: row => row.group},
	{head: '', value: row => row.name},
	{head: '', value: row => row.value},
];

const shown = (value: unknown): string => (value === null ? '-' : typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value));

/** `info`: needs neither a key nor a network. */
export const showInfo = async (context: Context, about: About): Promise<number> => {
	const facts = factsOf(about);
	if (context.json) {
		await printJson(context, facts);
		return 0;
	}
	const {engine, ...groups} = facts;
	const rows: readonly Row[] = Object.entries(groups).flatMap(([group, values]) => Object.entries(values).map(([name, value], index) => ({group: index === 0 ? group : '', name, value: label(shown(value), 1000)})));
	await context.stdout.write(`${tableText(COLUMNS, rows, Infinity).trimStart()}\n${engine.ungated}\n`);
	return 0;
};
