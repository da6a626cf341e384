import {createEditor} from '../../../text/editor/editor.ts';
import type {LineCommand, NumberCommand, ScreenFacts} from '../room.ts';
import {allRooms, allScreens} from '../rooms.ts';

const toScreen = ({id, command}: ScreenFacts): LineCommand => ({
	name: id,
	does: command?.does ?? '',
	...(command?.hasFilter && {argument: '[filter]'}),
	run({get}, argument) {
		get().go(id);
		if (argument === '') return;
		if (command?.filter) return command.filter(get, createEditor(argument));
		if (command?.hasFilter) get().changeList(id, {filter: createEditor(argument)});
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
	{name: 'copied', does: 'Show what was copied last, to select it', run: ({get}) => get().showCopied()},
	does('messages', 'Messages shown so far', 'messages', 'anywhere'),
	does('requests', 'Calls to the service: copy as curl, cancel', 'requests', 'anywhere'),
	does('evidence', 'Show the failed call and its answer', 'evidence'),
	does('zoom', 'This pane alone, or with the others', 'zoom'),
	does('help', 'Keys of this screen', 'help'),
	does('quit', 'Leave the program', 'quit'),
];

/** Those of the screens, of the rooms and of everywhere. */
export const lineCommands = (): readonly LineCommand[] => [
	...allScreens().map(toScreen),
	...allRooms().flatMap(({commands = []}) => commands),
	...COMMANDS,
];

/** `120` stands for a line of the open file. */
export const isLineNumber = (word: string): boolean => /^[1-9]\d{0,8}$/.test(word);

export const numberCommand = (): NumberCommand | undefined =>
	allRooms().find(({onNumber}) => onNumber)?.onNumber;

/** A typed line: its command, and the rest as its argument. */
export const parseLine = (
	line: string,
): {readonly word: string; readonly argument: string; readonly hasArgument: boolean} => {
	const [, word = '', space = '', argument = ''] = /^\s*:?(\S*)(\s*)([^]*?)\s*$/.exec(line) ?? [];
	return {word, argument, hasArgument: space !== ''};
};
