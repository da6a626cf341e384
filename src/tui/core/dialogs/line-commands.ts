import {createEditor} from '../../../text/editor/editor.ts';
import {hasToken} from '../../../text/token.ts';
import type {State} from '../program.ts';
import type {LineCommand, LinePlace, NumberCommand, ScreenSpec} from '../feature.ts';
import {allFeatures, allScreens} from '../features.ts';
import {route} from '../store/route.ts';
import {filterList} from '../store/lists.ts';
import {clipboard} from '../store/clipboard.ts';

const toScreen = ({id, command}: ScreenSpec): LineCommand => ({
	name: id,
	does: command?.does ?? '',
	...(command?.hasFilter && {argument: '[filter]'}),
	run({get}, argument) {
		route(get).go(id);
		if (argument === '') return;
		if (command?.hasFilter) return filterList(get, id, createEditor(argument));
	},
});

const does = (
	name: string,
	words: string,
	action: string,
	scope: 'global' | 'anywhere' = 'global',
): LineCommand => ({name, does: words, run: ({act}) => act(scope, action)});

const COMMANDS: readonly LineCommand[] = [
	does('refresh', 'Refresh', 'refresh'),
	{
		name: 'copied',
		does: 'Show what was copied last, to select it',
		run: ({get}) => clipboard(get).showCopied(),
	},
	does('messages', 'Messages shown so far', 'messages', 'anywhere'),
	does('requests', 'Requests to the service: copy as curl, cancel', 'requests', 'anywhere'),
	does('evidence', 'Show the failed request and its response', 'evidence'),
	does('zoom', 'This pane alone, or with the others', 'zoom'),
	does('help', 'The most important keys, and a search in all', 'help'),
	does('quit', 'Leave the program', 'quit'),
];

/** Commands that the features define for the `:` line. */
export const roomCommands = (): readonly LineCommand[] =>
	allFeatures().flatMap(({commands = []}) => commands);

/** Commands of screens, of features and of core. */
export const lineCommands = (): readonly LineCommand[] => [
	...allScreens().map(toScreen),
	...roomCommands(),
	...COMMANDS,
];

/** False for a command that changes something, if the profile is read-only. */
export const isCommandAvailable =
	({readOnly}: Pick<State, 'readOnly'>) =>
	({writes}: LineCommand): boolean =>
		!(writes && readOnly);

const isArgumentNeeded = ({argument}: LineCommand): boolean =>
	argument !== undefined && !argument.startsWith('[');

/** Runs a command and remembers its line. */
export const runLine = (
	context: Parameters<LineCommand['run']>[0],
	command: LineCommand,
	argument: string,
): string | void => {
	const {get} = context;
	if (!isCommandAvailable(get())(command)) return `This profile is read-only: ${command.name} is not offered`;
	// A token must not appear in later suggestions.
	if (!hasToken(argument)) route(get).rememberLine(`${command.name} ${argument}`.trim());
	return command.run(context, argument);
};

/** Runs a command chosen from a list. If it needs an argument, opens the `:` line instead. */
export const chooseCommand = (
	context: Parameters<LineCommand['run']>[0],
	command: LineCommand,
): string | void =>
	isArgumentNeeded(command)
		? route(context.get).openDialog({kind: 'command-line', line: `${command.name} `})
		: runLine(context, command, '');

/** Line number for `120`, `+20`, `-20` or `50%`; null for other text. */
export const lineTarget = (word: string, {line, count}: LinePlace): number | null => {
	const [, sign = '', digits = '', percent = ''] = /^([+-]?)([1-9]\d{0,8})(%?)$/.exec(word) ?? [];
	if (digits === '' || (sign !== '' && percent !== '')) return null;
	const number = Number(digits);
	if (percent !== '') return number > 100 ? null : Math.max(1, Math.round((count * number) / 100));
	return sign === '' ? number : Math.max(1, sign === '+' ? line + number : line - number);
};

/** Line numbers in text such as `10,20`, the smaller number first; null for other text. */
export const lineRange = (word: string): {readonly from: number; readonly to: number} | null => {
	const [, one = '', other = ''] = /^([1-9]\d{0,8}),([1-9]\d{0,8})$/.exec(word) ?? [];
	if (one === '') return null;
	return {from: Math.min(Number(one), Number(other)), to: Math.max(Number(one), Number(other))};
};

export const numberCommand = (): NumberCommand | undefined =>
	allFeatures().find(({onNumber}) => onNumber)?.onNumber;

/** Splits a typed line into its command and argument. */
export const parseLine = (
	line: string,
): {readonly word: string; readonly argument: string; readonly hasArgument: boolean} => {
	const [head = '', word = '', space = ''] = /^\s*:?(\S*)(\s*)/.exec(line) ?? [];
	return {word, argument: line.slice(head.length).trimEnd(), hasArgument: space !== ''};
};
