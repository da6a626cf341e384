import type {Command} from 'commander';
import type {Context} from './context.ts';

/** Answers the exit code; nothing for 0. */
export type Run = (context: Context) => Promise<number | void>;

/** What the arguments chose; `serve` and `info` are the composition root's own. */
export type Choice = {readonly name: 'serve' | 'info'} | {readonly name: 'command'; readonly run: Run};

/** What commander calls with the arguments and options: it chooses the command that `load` brings, which is loaded only then. */
export type Runs = (
	load: () => Promise<(context: Context, ...given: never[]) => ReturnType<Run>>,
) => (...given: readonly unknown[]) => void;

/** `line`: the name, and how it is used. */
export const add = (parent: Command, line: string, what: string): Command => {
	const [name = '', ...usage] = line.split(' ');
	const command = parent.command(name).description(what);
	return usage.length === 0 ? command : command.usage(usage.join(' '));
};
