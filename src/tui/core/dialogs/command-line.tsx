import {fuzzyFilter} from '../../../text/editor/fuzzy.ts';
import type {Rect} from '../frame/layout.ts';
import {useAct} from '../keys/keys.tsx';
import {keyFor} from '../keys/live-keys.ts';
import {useGetState} from '../store-context.ts';
import {Chooser, type Choice} from './chooser.tsx';
import type {LineCommand} from '../room.ts';
import {isLineNumber, lineCommands, numberCommand, parseLine} from './line-commands.ts';

const isArgumentNeeded = ({argument}: LineCommand): boolean =>
	argument !== undefined && !argument.startsWith('[');

/** The command line: a command and its argument, each with suggestions; what was run before comes first. */
export const CommandLine = ({body}: {readonly body: Rect}) => {
	const get = useGetState();
	const act = useAct();
	const run = (command: LineCommand, argument: string): string | void => {
		if (command.writes && get().readOnly) return `This profile is read-only: ${command.name} is not offered`;
		get().rememberLine(`${command.name} ${argument}`.trim());
		return command.run({get, act}, argument);
	};
	const ofCommand = (command: LineCommand): Choice => ({
		text: `${command.name}${command.argument === undefined ? '' : ` ${command.argument}`}`,
		note: command.does,
		section: 'Commands',
		completes: `${command.name}${command.argument === undefined ? '' : ' '}`,
		choose: () =>
			isArgumentNeeded(command)
				? get().openDialog({kind: 'command-line', line: `${command.name} `})
				: run(command, ''),
	});
	const offered = lineCommands().filter(({writes}) => !(writes && get().readOnly));
	const choicesFor = (typed: string): readonly Choice[] => {
		const {word, argument, hasArgument} = parseLine(typed);
		const onNumber = numberCommand();
		if (onNumber && isLineNumber(word))
			return [
				{text: `Go to line ${word}`, note: onNumber.of(get()), choose: () => onNumber.run(get, Number(word))},
			];
		const command = lineCommands().find(each => each.name === word);
		if (hasArgument && command) {
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
			// As it is typed: what stands behind a command may be anything.
			return [
				argument === '' || command.argument === undefined
					? ofCommand(command)
					: {text: `${command.name} ${argument}`, note: command.does, choose: () => run(command, argument)},
			];
		}
		const before = get()
			.lineHistory.toReversed()
			.map((line): Choice => {
				const old = parseLine(line);
				const again = lineCommands().find(each => each.name === old.word);
				return {
					text: line,
					section: 'Before',
					completes: line,
					choose: () => (again ? run(again, old.argument) : undefined),
				};
			});
		return word === ''
			? [...before, ...offered.map(ofCommand)]
			: fuzzyFilter(word, offered, each => each.name).map(ofCommand);
	};
	const onEnter = (typed: string): string | boolean => {
		const {word, argument} = parseLine(typed);
		const command = lineCommands().find(each => each.name === word);
		if (command === undefined || argument === '') return false;
		// The suggestion under the cursor stands for a beginning of its name, not for a whole other one.
		const known = command.suggest?.(get());
		if (known !== undefined && !known.includes(argument) && choicesFor(typed).length > 0) return false;
		get().closeDialog();
		const reason = run(command, argument);
		if (typeof reason === 'string') get().notify('info', reason);
		return true;
	};
	const dialog = get().dialogs.at(-1);
	return (
		<Chooser
			title="Command"
			body={body}
			prompt=":"
			choicesFor={choicesFor}
			onEnter={onEnter}
			initial={dialog?.kind === 'command-line' ? (dialog.line ?? '') : ''}
			empty={`No such command. ${keyFor('anywhere.palette')} lists all actions.`}
		/>
	);
};
