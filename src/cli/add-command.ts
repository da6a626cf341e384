import type {Command} from 'commander';
import type {Context} from './context.ts';

/** Runs a command. Resolves to its exit code. Undefined means 0. */
export type Run = (context: Context) => Promise<number | void>;

/** Command that the arguments chose. The composition root runs `serve` and `info` itself. */
export type Choice = {readonly name: 'serve' | 'info'} | {readonly name: 'command'; readonly run: Run};

/**
 * Creates an action that commander calls with arguments and options. The module of a command is
 * loaded only if the command is selected.
 */
export type Runs = (
	load: () => Promise<(context: Context, ...given: never[]) => ReturnType<Run>>,
) => (...given: readonly unknown[]) => void;

/** `line`: name and usage of the command. */
export const add = (parent: Command, line: string, what: string): Command => {
	const [name = '', ...usage] = line.split(' ');
	const command = parent.command(name).description(what);
	return usage.length === 0 ? command : command.usage(usage.join(' '));
};
