import {parseArgs} from 'node:util';
import {typedPlace} from '../contract/paths.ts';
import {THEMES, type Theme} from '../settings/profile.ts';
import type {ServiceOptions} from '../settings/target.ts';
import {definedFields} from '../text/record.ts';
import type {StartLocation} from '../tui/files/start-location.ts';
import type {Pane} from '../tui/core/program.ts';

export type ScreenOptions = {
	readonly service: ServiceOptions;
	readonly theme: Theme | undefined;
	readonly ascii: boolean;
	/** True to start at the server list instead of the last location. */
	readonly fresh: boolean;
	readonly place: StartLocation | null;
};

const OPTIONS = {
	'base-url': {type: 'string'},
	profile: {type: 'string'},
	'api-key-file': {type: 'string'},
	'ca-file': {type: 'string'},
	'client-cert-file': {type: 'string'},
	'client-key-file': {type: 'string'},
	'insecure-http': {type: 'boolean'},
	theme: {type: 'string'},
	ascii: {type: 'boolean'},
	fresh: {type: 'boolean'},
	/** Server of the current folder. The boot file has resolved it. */
	here: {type: 'string'},
	// Handled by the boot file.
	'screen-reader': {type: 'boolean'},
} as const;

const PANES: Readonly<Record<string, Pane>> = {files: 'files', repl: 'repl', chat: 'assistant'};
const OPEN = 'svc-tui open SERVER [files [PATH[:LINE]] | repl | chat]';

/**
 * Location from the words after `open`. Null if there are none. @throws {Error} if the words are
 * invalid.
 */
const startPlace = (words: readonly string[], here: string | undefined): StartLocation | null => {
	if (here !== undefined && words.length > 0)
		throw new Error('--here opens the current folder and cannot be combined with open SERVER.');
	if (here !== undefined) return {server: here, screen: 'files', file: null, starts: true};
	const [verb, server, pane = 'files', file, ...rest] = words;
	if (verb === undefined) return null;
	const screen = Object.hasOwn(PANES, pane) ? PANES[pane] : undefined;
	const isWrong = rest.length > 0 || (file !== undefined && pane !== 'files');
	if (verb !== 'open' || !server || screen === undefined || isWrong) throw new Error(`Use ${OPEN}.`);
	const {path, line = 1} = typedPlace(file ?? '');
	return {server, screen, file: path === '' ? null : {path, line}};
};

/**
 * True if the locale's character set is not UTF-8, or on the Linux console, whose fonts lack our
 * marks. Without a locale, UTF-8 is assumed.
 */
export const needsAscii = (env: NodeJS.ProcessEnv): boolean =>
	env['TERM'] === 'linux' || !/utf-?8/i.test(env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || 'UTF-8');

/** Parses the command line. @throws {Error} with a sentence if it is not valid. */
export const screenOptions = (args: readonly string[]): ScreenOptions => {
	const {values, positionals} = parseArgs({args: [...args], options: OPTIONS, allowPositionals: true});
	const theme = THEMES.find(each => each === values.theme);
	if (values.theme !== undefined && theme === undefined)
		throw new Error(
			`--theme ${JSON.stringify(values.theme)} is not a theme: choose one of ${THEMES.join(', ')}.`,
		);
	if (values['base-url'] !== undefined && values.profile !== undefined)
		throw new Error('Use either --base-url or --profile, not both: a profile already has an address.');
	return {
		service: definedFields({
			baseUrl: values['base-url'],
			profile: values.profile,
			apiKeyFile: values['api-key-file'],
			caFile: values['ca-file'],
			clientCertFile: values['client-cert-file'],
			clientKeyFile: values['client-key-file'],
			insecureHttp: values['insecure-http'],
		}),
		theme,
		ascii: values.ascii === true,
		fresh: values.fresh === true,
		place: startPlace(positionals, values.here),
	};
};
