import {fuzzyFilter} from '../../../text/editor/fuzzy.ts';
import {keyFor} from '../keys/live-keys.ts';
import type {LineCommand, NumberCommand} from '../feature.ts';
import {allFeatures} from '../features.ts';
import type {State} from '../program.ts';
import {chooser, type Choice} from './chooser.tsx';
import {
	chooseCommand,
	lineRange,
	isCommandAvailable,
	lineCommands,
	lineTarget,
	numberCommand,
	parseLine,
	runLine,
} from './line-commands.ts';
import {route} from '../store/route.ts';

const NO_COMMAND = (): string => `No such command. ${keyFor('anywhere.palette')} finds anything.`;

/** Choices for a range of lines: ask about it (`@` and a question), run it (`r`), or mark it. */
const rangeChoices = (
	get: () => State,
	on: NumberCommand,
	{from, to}: {readonly from: number; readonly to: number},
	argument: string,
): readonly Choice[] => {
	const lines = `lines ${from} to ${to}`;
	const note = on.of(get());
	const mark: Choice = {text: `Mark ${lines}`, note, choose: () => on.mark?.(get, from, to)};
	const ask: Choice = {
		text: `Ask about ${lines}`,
		note,
		choose: () => on.ask?.(get, from, to, argument.slice(1).trim()),
	};
	const run: Choice = {text: `Run ${lines}`, note, choose: () => on.runRange?.(get, from, to)};
	if (argument.startsWith('@')) return [ask];
	return argument === 'r' ? [run] : argument === '' ? [mark] : [];
};

/** Offers unknown words as a query for each list that accepts one. */
const asQuery = (get: () => State, typed: string): readonly Choice[] => {
	const words = typed.replace(/^\s*:?/, '').trim();
	return allFeatures()
		.flatMap(({finds = []}) => finds)
		.flatMap(({query, hits}) =>
			query !== undefined && hits(get, words, true).length > 0
				? [{text: query.text(words), choose: () => query.run(get, words)}]
				: [],
		);
};

/** Command line with suggestions for command and argument. Earlier lines are suggested first. */
export const commandLine = chooser(
	{kind: 'command-line', isPreview: true, line: () => ({field: 'command', server: ''})},
	({get, act}, {line = ''}) => {
		const commands = lineCommands();
		const named = (word: string): LineCommand | undefined => commands.find(({name}) => name === word);
		const run = (command: LineCommand, argument: string) => runLine({get, act}, command, argument);
		const ofCommand = (command: LineCommand): Choice => ({
			text: `${command.name}${command.argument === undefined ? '' : ` ${command.argument}`}`,
			note: command.does,
			section: 'Commands',
			completes: `${command.name}${command.argument === undefined ? '' : ' '}`,
			choose: () => chooseCommand({get, act}, command),
		});
		const withArgument = (command: LineCommand, argument: string): readonly Choice[] => {
			const fitting =
				argument !== '' && command.argument === undefined
					? []
					: fuzzyFilter(argument, command.suggest?.(get()) ?? [], name => name);
			if (fitting.length > 0)
				return fitting.map(name => ({
					text: `${command.name} ${name}`,
					completes: `${command.name} ${name}`,
					choose: () => run(command, name),
				}));
			// Keeps the argument unchanged: it may be any text.
			return [
				argument === '' || command.argument === undefined
					? ofCommand(command)
					: {text: `${command.name} ${argument}`, note: command.does, choose: () => run(command, argument)},
			];
		};
		const ofLine = (text: string): Choice => ({
			text,
			section: 'Before',
			completes: text,
			choose() {
				const {word, argument} = parseLine(text);
				const command = named(word);
				if (command) return run(command, argument);
			},
		});
		const choicesFor = (typed: string): readonly Choice[] => {
			const {word, argument, hasArgument} = parseLine(typed);
			const onNumber = numberCommand();
			const target = onNumber && lineTarget(word, onNumber.at(get()));
			if (onNumber && typeof target === 'number')
				return [
					{text: `Go to line ${target}`, note: onNumber.of(get()), choose: () => onNumber.run(get, target)},
				];
			const range = lineRange(word);
			if (onNumber && range) return rangeChoices(get, onNumber, range, argument);
			const command = named(word);
			if (hasArgument && command) return withArgument(command, argument);
			const offered = commands.filter(isCommandAvailable(get()));
			if (word === '') return [...get().lineHistory.toReversed().map(ofLine), ...offered.map(ofCommand)];
			const fitting = hasArgument ? [] : fuzzyFilter(word, offered, ({name}) => name).map(ofCommand);
			return fitting.length > 0 ? fitting : asQuery(get, typed);
		};
		return {
			title: 'Command',
			prompt: ':',
			enterLabel: 'run',
			alignsNotes: true,
			isStrip: true,
			initial: line,
			empty: NO_COMMAND(),
			choicesFor,
			whyNot: typed => (choicesFor(typed).length === 0 ? NO_COMMAND() : undefined),
			onEnter(typed) {
				const {word, argument} = parseLine(typed);
				const command = named(word);
				if (command === undefined || argument === '') return false;
				// The selected suggestion completes a typed prefix; a complete name is taken as
				// typed.
				const known = command.suggest?.(get());
				if (known !== undefined && !known.includes(argument) && choicesFor(typed).length > 0) return false;
				route(get).closeDialog();
				return run(command, argument) ?? true;
			},
		};
	},
);
