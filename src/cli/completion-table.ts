import type {Argument, Command, Option} from 'commander';
import {MODELS} from '../contract/names.ts';
import {METHODS} from '../api/methods.ts';
import {COMPUTE_SORT_KEYS} from '../query/sort.ts';
import {ALLOWABLE} from './allowable.ts';
import type {Live} from './candidates.ts';
import {EXISTING} from './existing.ts';
import {PERMISSIONS} from './mcp/permissions.ts';
import {TOPICS} from './topics.ts';

/**
 * Candidates for a word: live names, local paths or fixed words. Undefined if any text is valid.
 */
export type Kind = Live | 'paths' | readonly string[] | undefined;

export type CompletedOption = {
	readonly names: readonly string[];
	readonly what: string;
	readonly valued: boolean;
	readonly many: boolean;
	readonly kind: Kind;
};
/**
 * `path`: names of the commands from the program down, with a space before each. Empty for the
 * program itself. `many`: the last entry of `places` applies to all further arguments.
 */
export type CompletedCommand = {
	readonly path: string;
	readonly below: readonly {readonly name: string; readonly what: string}[];
	/**
	 * The command's own and inherited options. `takesGlobal`: true if the global options apply too.
	 */
	readonly options: readonly CompletedOption[];
	readonly takesGlobal: boolean;
	readonly places: readonly Kind[];
	readonly many: boolean;
};
export type CompletionTable = {
	readonly commands: readonly CompletedCommand[];
	readonly global: readonly CompletedOption[];
};

/** Candidates for option values, by the option's name. Values called FILE or DIR are paths. */
const OPTIONS: Readonly<Record<string, Kind>> = {
	region: 'regions',
	gpu: 'gpus',
	environment: 'environments',
	compute: 'computes',
	profile: 'profiles',
	server: 'servers',
	existing: EXISTING,
	model: MODELS,
	allow: ALLOWABLE,
	attach: 'detachedRuns',
};
/** `--host` is a cloud host, except in `serve`. */
const HOSTS: Kind = 'hosts';

const optionKind = (command: Command, option: Option): Kind => {
	const value = /<(.+?)(?:\.\.\.)?>/.exec(option.flags)?.[1] ?? '';
	if (option.attributeName() === 'kernel')
		return command.name() === 'run' && command.parent?.name() !== 'job' ? 'runKernels' : 'kernels';
	if (option.attributeName() === 'sort') return command.name() === 'table' ? undefined : COMPUTE_SORT_KEYS;
	if (option.attributeName() === 'host') return command.name() === 'serve' ? undefined : HOSTS;
	if (option.attributeName() === 'allow' && command.name() === 'mcp') return PERMISSIONS;
	if (value.includes('|')) return value.split('|');
	return OPTIONS[option.name()] ?? (/^(?:FILE|DIR)$/.test(value) ? 'paths' : undefined);
};

const completed = (command: Command, option: Option): CompletedOption => ({
	names: [option.long, option.short].filter(name => name != null),
	what: option.description,
	valued: option.required || option.optional,
	many: option.variadic,
	kind: optionKind(command, option),
});

/** Candidates by command, for arguments whose name does not determine them. */
const PLACES: Readonly<Record<string, readonly Kind[]>> = {
	' server create': [undefined],
	' api': [METHODS, undefined],
	' open': ['servers', ['files', 'repl', 'chat']],
};

const placeKind = (argument: Argument, at: number): Kind => {
	if (argument.argChoices) return argument.argChoices;
	if (at > 0 && argument.name() === 'PATH') return 'serverPaths';
	if (argument.name() === 'SERVER:PATH') return 'remotePaths';
	if (argument.name() === 'JOB') return 'jobs';
	if (/^(?:SERVER|NAME)$/.test(argument.name())) return 'servers';
	return /^(?:FILE|LOCAL|RECIPE)$/.test(argument.name()) ? 'paths' : undefined;
};

/** Command that is not in commander's table, because it is parsed before. */
const HELP = 'help';

/** Completion table, from commander's table. Contains every command that the help shows. */
export const completionTable = (root: Command): CompletionTable => {
	const help = root.createHelp();
	const global = help.visibleOptions(root).map(option => completed(root, option));
	const walk = (
		command: Command,
		path: string,
		inherited: readonly CompletedOption[] = [],
	): CompletedCommand[] => {
		const below = help.visibleCommands(command);
		// Commander does not parse the options of `serve`.
		const takesGlobal = command.name() !== 'serve';
		const own =
			command === root
				? []
				: [
						...help
							.visibleOptions(command)
							.filter(option => !takesGlobal || option.long !== '--help')
							.map(option => completed(command, option)),
						...inherited,
					];
		return [
			{
				path,
				below: below.map(each => ({name: each.name(), what: each.description()})),
				options: own,
				takesGlobal,
				places: PLACES[path] ?? command.registeredArguments.map(placeKind),
				many: command.registeredArguments.at(-1)?.variadic ?? false,
			},
			...below.flatMap(each => walk(each, `${path} ${each.name()}`, own)),
		];
	};
	const [first, ...rest] = walk(root, '');
	if (!first) return {commands: [], global};
	const topics = [...first.below.map(({name}) => name), ...TOPICS];
	return {
		global,
		commands: [
			{...first, below: [...first.below, {name: HELP, what: 'help for a command or topic'}]},
			...rest,
			{path: ` ${HELP}`, below: [], options: [], takesGlobal: true, places: [topics], many: false},
		],
	};
};
