import {fieldsOf} from '../../../text/record.ts';
import {label} from '../../../text/safe.ts';
import type {Binding} from './binding-sets.ts';
import {keymap} from './keymap.ts';
import {forgetBindings} from './live-keys.ts';
import {runUserCommand} from '../ports.ts';

/** Code that the user has given a name, to run on a server. */
export type UserCommand = {readonly name: string; readonly run: string; readonly key: string | null};

/** Of the settings' `commands`; what of them cannot be used settings.ts tells. */
export const readUserCommands = (wanted: Readonly<Record<string, unknown>>): readonly UserCommand[] =>
	Object.entries(wanted).flatMap(([name, value]) => {
		const {run, key} = fieldsOf(value);
		return typeof run === 'string' && run.trim() !== ''
			? [{name, run, key: typeof key === 'string' ? key : null}]
			: [];
	});

/** The keys that they want, as the settings' `keys` have them. */
export const keysOfOwn = (commands: readonly UserCommand[]): Readonly<Record<string, unknown>> =>
	Object.fromEntries(commands.flatMap(({name, key}) => (key === null ? [] : [[`own.${name}`, key]])));

const LONGEST = 60;

/** Puts them into the key table, and so into palette and help; with a key once that is known to be free. */
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
