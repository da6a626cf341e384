// Completion of the last word in a command line. Shells pass the line unchanged; `rowsFor` prints
// candidates in the form that each shell needs.
import type {Command} from 'commander';
import {isLive, namesOf, type Typed} from './candidates.ts';
import {completionTable, type CompletedOption, type Kind} from './completion-table.ts';
import type {Context} from './context.ts';
import type {Globals} from './globals.ts';
import {FILES, SHELLS, type Shell} from './shells.ts';
import {SERVICE_FLAGS, type ServiceOptions} from '../settings/target.ts';

/** Command line from bash, split as readline does and cut off at the cursor. */
type BashLine = {
	/** Words after the program's name, without quotes. */
	readonly before: readonly string[];
	/** Word at the cursor, without quotes. */
	readonly typed: string;
	/** Word at the cursor as typed. */
	readonly raw: string;
	/** Part of the word that readline replaces, since readline also splits at : and =. */
	readonly last: string;
};

const WORD = /(?:\\[^]|\\$|"(?:\\[^]|[^"\\])*\\?"?|'[^']*'?|[^\s\\"'])+/g;
const PART = /\\([^]|$)|"((?:\\[^]|[^"\\])*)\\?"?|'([^']*)'?/g;

/** Removes the shell's quotes and escapes from a word. */
const unquoted = (word: string): string =>
	word.replaceAll(
		PART,
		(_, escaped?: string, double?: string, single?: string) =>
			escaped ?? double?.replaceAll(/\\(["\\$`])/g, '$1') ?? single ?? '',
	);

const bashLine = (line: string, last: string): BashLine => {
	const found = [...line.matchAll(WORD)];
	const end = found.at(-1);
	const words = found.map(([word]) => word);
	if (end === undefined || end.index + end[0].length < line.length) words.push('');
	const raw = words.at(-1) ?? '';
	return {
		before: words.slice(1, -1).map(unquoted),
		typed: unquoted(raw),
		raw,
		last: raw.endsWith(last) ? last : raw,
	};
};

/**
 * Candidates for the word at the cursor, with the user's quotes, and without the part that readline
 * keeps. `option`: prefix such as `--region=`.
 */
const bashQuoted = (names: readonly string[], {typed, raw, last}: BashLine, option: string): string[] => {
	const value = raw.slice(option.length);
	const before = value.slice(0, Math.max(0, value.length - last.length));
	return names
		.filter(name => name.startsWith(typed.slice(option.length)))
		.map(name => (name.startsWith(before) ? name.slice(before.length) : name))
		.flatMap(name => {
			if (value.startsWith("'")) return name.includes("'") ? [] : [name];
			return [
				name.replaceAll(value.startsWith('"') ? /[\\"$`]/g : /[^\w@%+=:,./\u0080-\u{10FFFF}-]/gu, '\\$&'),
			];
		});
};

/**
 * Service option that a flag sets. Such options select the service that live names are loaded from.
 * Undefined for other flags.
 */
const serviceField = (flag: string | undefined): keyof ServiceOptions | undefined =>
	(Object.keys(SERVICE_FLAGS) as (keyof ServiceOptions)[]).find(name => SERVICE_FLAGS[name] === flag);

type Item = {readonly name: string; readonly what?: string};
/** `option`: prefix of the value in the same word, such as `--region=`. */
type Place = {
	readonly wanted: readonly Item[] | Kind;
	readonly option: string;
	readonly service: Partial<Globals>;
	/** First argument of the command. */
	readonly server: string;
};

const isOption = (word: string): boolean => /^-./.test(word);

/**
 * Determines what is expected after the words of a line. `before`: the words without the program's
 * name.
 */
const placeOf = (root: Command, before: readonly string[], typed: string): Place => {
	const {commands, global} = completionTable(root);
	const commandAt = (path: string) => commands.find(command => command.path === path);
	let path = '';
	const options = (): readonly CompletedOption[] => [
		...(commandAt(path)?.options ?? []),
		...(commandAt(path)?.takesGlobal ? global : []),
	];
	const optionOf = (word: string) => options().find(({names}) => names.includes(word.split('=', 1)[0] ?? ''));
	const service: Partial<Record<keyof Globals, string | boolean>> = {};
	let pending: CompletedOption | undefined;
	const given: string[] = [];
	let hasEnded = false;
	for (let at = 0; at < before.length; at++) {
		const word = before[at] ?? '';
		if (!hasEnded && isOption(word)) {
			hasEnded = word === '--';
			const option = optionOf(word);
			const isWhole = !option?.valued || word.includes('=');
			const value = word.includes('=') ? word.slice(word.indexOf('=') + 1) : before[at + 1];
			const field = serviceField(word.split('=', 1)[0]);
			if (field !== undefined && option && value !== '-')
				service[field] = option.valued ? (value ?? '') : true;
			pending = !isWhole && (option.many || at === before.length - 1) ? option : undefined;
			if (!isWhole) at++;
		} else if (commandAt(`${path} ${word}`)) path += ` ${word}`;
		else if (!pending) given.push(word);
	}
	const command = commandAt(path);
	const isAssigned = !hasEnded && !pending && isOption(typed) && typed.includes('=');
	const wanted = (): Place['wanted'] => {
		if (isAssigned) return optionOf(typed)?.kind;
		if (pending && !isOption(typed)) return pending.kind;
		if (!hasEnded && typed.startsWith('-'))
			return options().flatMap(({names, what}) => names.map(name => ({name, what})));
		if (command && command.below.length > 0) return given.length === 0 ? command.below : [];
		return command?.places[command.many ? Math.min(given.length, command.places.length - 1) : given.length];
	};
	return {
		wanted: wanted(),
		option: isAssigned ? typed.slice(0, typed.indexOf('=') + 1) : '',
		service: service as Partial<Globals>,
		server: given[0] ?? '',
	};
};

// Characters that users do not type, that act on a terminal, or that mislead a reader.
const UNTYPED = /[\p{C}\u2028\u2029]/u;

const itemsOf = async (
	wanted: Exclude<Place['wanted'], 'paths'>,
	context: Context,
	typed: Typed,
): Promise<readonly Item[]> => {
	const items = isLive(wanted) ? await namesOf(context, wanted, typed) : (wanted ?? []);
	return items
		.map((item: string | Item) => (typeof item === 'string' ? {name: item} : item))
		.filter(({name}, at, all) => all.findIndex(each => each.name === name) === at)
		.filter(({name}) => name !== '' && !UNTYPED.test(name));
};

const described = ({name, what}: Item): string => (what ? `${name}\t${what.replaceAll(/\s+/g, ' ')}` : name);

/**
 * Formats candidates for a shell. Unlike bash, zsh and fish filter candidates and handle quotes
 * themselves.
 */
const rowsFor = (shell: Shell, items: readonly Item[], option: string, line: BashLine | null): string[] =>
	line
		? bashQuoted(
				items.map(({name}) => name),
				line,
				option,
			)
		: items.map(item => `${shell === 'fish' ? option : ''}${described(item)}`);

export type Completion = {
	/** Service that the line names. */
	readonly globals: Globals;
	readonly print: (context: Context) => Promise<void>;
};

/**
 * Reads `SHELL LINE LAST` from bash, and `SHELL WORD...` from other shells, whose last word is
 * being typed. Errors are silent, since the user is typing in that terminal.
 */
export const readCompletion = ([name, ...given]: readonly string[], root: Command): Completion => {
	const shell = SHELLS.find(each => each === name) ?? 'fish';
	const line = shell === 'bash' ? bashLine(given[0] ?? '', given[1] ?? '') : null;
	const before = line ? line.before : given.slice(0, -1);
	// The shells zsh and fish pass the word at the cursor as the user typed it.
	const typed = line ? line.typed : unquoted(given.at(-1) ?? '');
	const {wanted, option, service, server} = placeOf(root, before, typed);
	return {
		globals: {json: false, ...service},
		async print(context) {
			try {
				const rows =
					wanted === 'paths'
						? [`${FILES}${typed.slice(option.length)}`]
						: rowsFor(shell, await itemsOf(wanted, context, {server, value: typed}), option, line);
				await context.stdout.write(rows.map(row => `${row}\n`).join(''));
			} catch {
				// Ignored: there are then no candidates.
			}
		},
	};
};
