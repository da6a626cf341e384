import {fieldsOf} from '../../../text/record.ts';
import {label} from '../../../text/safe.ts';
import type {Binding} from './binding-sets.ts';
import {keymap} from './keymap.ts';
import {forgetBindings} from './live-keys.ts';
import {runUserCommand} from '../ports.ts';

/** A command of the user: a name, and code that runs on a server. */
export type UserCommand = {readonly name: string; readonly run: string; readonly key: string | null};

/** Parses the `commands` of the settings and skips invalid entries, which settings.ts reports. */
export const readUserCommands = (wanted: Readonly<Record<string, unknown>>): readonly UserCommand[] =>
	Object.entries(wanted).flatMap(([name, value]) => {
		const {run, key} = fieldsOf(value);
		return typeof run === 'string' && run.trim() !== ''
			? [{name, run, key: typeof key === 'string' ? key : null}]
			: [];
	});

/** The keys of the commands, as entries for the settings' `keys`. */
export const keysOfOwn = (commands: readonly UserCommand[]): Readonly<Record<string, unknown>> =>
	Object.fromEntries(commands.flatMap(({name, key}) => (key === null ? [] : [[`own.${name}`, key]])));

const LONGEST = 60;

/**
 * Adds the commands to the key table, from which the palette and the help list them. The key of a
 * command is added later, once no other action is known to use it.
 */
export const fillOwnCommands = (commands: readonly UserCommand[]): void => {
	const rows = commands.map(({name, run: code}): Binding => ({
		action: name,
		keys: [],
		label: label(`${name}: ${code.trim()}`, LONGEST),
		also: 'own command',
		writes: true,
		run: ({get}) => runUserCommand(get, name),
	}));
	Object.assign(keymap, {own: {...keymap.own, rows}});
	forgetBindings();
};
