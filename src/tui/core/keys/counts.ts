// Counts before a movement, such as `12j`. Active with the setting `"digits": "counts"`.
import {keyText} from '../../../text/key-name.ts';
import {numberCommand} from '../dialogs/line-commands.ts';
import type {Scope, State} from '../program.ts';
import {notices} from '../store/notices.ts';
import {route} from '../store/route.ts';
import type {Binding} from './binding-sets.ts';
import {bindingsOf} from './live-keys.ts';

/** Movements that a count repeats. */
const REPEATED: ReadonlySet<string> = new Set(['up', 'down', 'pageUp', 'pageDown', 'left', 'right']);
/** Movements to the start or end of a list. After a count they move to the row with that number. */
const TO_END: ReadonlySet<string> = new Set(['first', 'last']);
/** Maximum number of digits: enough for the lines of a long file. */
const MOST_DIGITS = 6;
/** Maximum number of repetitions, which take about 0.2 s. */
const MOST_REPEATS = 10_000;

/** A binding, and the scope that has it. */
export type Found = {readonly scope: Scope; readonly binding: Binding};

/** True for the digits of a count, which does not start with 0. */
export const isCount = (chord: string): boolean => /^[1-9]\d*$/.test(chord);

/**
 * Handles the key after a count: a further digit, or the movement to repeat. `found`: the binding
 * of the key. `run` runs a binding.
 */
export const pressAfterCount = (
	get: () => State,
	{count, name}: {readonly count: string; readonly name: string},
	found: Found | undefined,
	run: (found: Found) => void,
): void => {
	if (/^\d$/.test(name)) return route(get).setChord((count + name).slice(0, MOST_DIGITS));
	route(get).setChord(null);
	if (name === 'esc') return;
	const repeat = (move: Found, times: number): void => {
		for (let time = 0; time < Math.min(times, MOST_REPEATS); time++) run(move);
	};
	const times = Number(count);
	if (found !== undefined && REPEATED.has(found.binding.action)) return repeat(found, times);
	if (found === undefined || !TO_END.has(found.binding.action))
		return notices(get).refuse(`${count} ${keyText(name)} does nothing here: a count is for moves`);
	const {scope} = found;
	const lines = numberCommand();
	if (lines?.scope === scope) {
		const reason = lines.run(get, times);
		return typeof reason === 'string' ? notices(get).refuse(reason) : undefined;
	}
	const move = (action: string): Found | undefined => {
		const binding = bindingsOf(get(), scope).find(each => each.action === action);
		return binding && {scope, binding};
	};
	const [first, down] = [move('first'), move('down')];
	if (first === undefined || down === undefined) return;
	run(first);
	repeat(down, times - 1);
};
