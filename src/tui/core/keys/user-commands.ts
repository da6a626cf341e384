import {fieldsOf} from '../../../text/record.ts';
import {label} from '../../../text/safe.ts';
import type {Binding} from './binding-sets.ts';
import {keymap} from './keymap.ts';
import {forgetBindings} from './live-keys.ts';
import {runUserCommand} from '../ports.ts';

/** A named piece of the user's own code, to run on a server. */
export type UserCommand = {readonly name: string; readonly run: string; readonly key: string | null};

/** Parses the `commands` of the settings; settings.ts reports unusable ones. */
export const readUserCommands = (wanted: Readonly<Record<string, unknown>>): readonly UserCommand[] =>
	Object.entries(wanted).flatMap(([name, value]) => {
		const {run, key} = fieldsOf(value);
		return typeof run === 'string' && run.trim() !== ''
			? [{name, run, key: typeof key === 'string' ? key : null}]
			: [];
	});

/** The keys of the commands, in the form of the settings' `keys`. */
export const keysOfOwn = (commands: readonly UserCommand[]): Readonly<Record<string, unknown>> =>
	Object.fromEntries(commands.flatMap(({name, key}) => (key === null ? [] : [[`own.${name}`, key]])));

const LONGEST = 60;

/**
 * Adds the commands to the key table, and thereby to palette and help. A command's key is added
 * once it is known to be free.
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
