// Output of the screen-reader mode: lines that are written once, and the input line below them.
// Written lines never change. Backspaces move the cursor within the input line, as in a shell.
import {cellWidth} from '../../text/width/width.ts';

/** Input line. `key`: identifies the field. If it changes, a new line starts. */
export type Prompt = {readonly key: string; readonly text: string; readonly cursor: number};

export type Stream = {
	say(lines: readonly string[]): void;
	/** Updates the input line of the focused field. Null if no field has focus. */
	prompt(now: Prompt | null): void;
	/** Ends the input line, so that the next output starts a new line. */
	end(): void;
};

const back = (text: string): string => '\b'.repeat(cellWidth(text));

/**
 * Output that turns one input line into another at the cursor. Undefined if a new line is clearer.
 */
export const typedOver = (from: Prompt, to: Prompt, columns: number): string | undefined => {
	let same = 0;
	while (same < from.text.length && same < to.text.length && from.text[same] === to.text[same]) same++;
	// Keeps surrogate pairs together.
	if (/[\uD800-\uDBFF]/.test(from.text[same - 1] ?? '')) same--;
	const isTaken = to.text.length < from.text.length - 1 || (same === 0 && from.text !== '');
	if (from.key !== to.key || isTaken || cellWidth(to.text) >= columns || cellWidth(from.text) >= columns)
		return undefined;
	const start =
		from.cursor > same ? back(from.text.slice(same, from.cursor)) : from.text.slice(from.cursor, same);
	const shorter = cellWidth(from.text) - cellWidth(to.text);
	const rest = from.text === to.text ? '' : to.text.slice(same) + ' '.repeat(Math.max(0, shorter));
	const isRewritten = from.text !== to.text;
	const end = isRewritten
		? '\b'.repeat(Math.max(0, shorter)) + back(to.text.slice(to.cursor))
		: to.cursor < same
			? back(to.text.slice(to.cursor, same))
			: '';
	return start + rest + end;
};

export const createStream = (write: (text: string) => void, columns: () => number): Stream => {
	let typed: Prompt | null = null;
	const end = (): void => {
		if (typed === null) return;
		write(`${typed.text.slice(typed.cursor)}\n`);
		typed = null;
	};
	return {
		end,
		say(lines) {
			if (lines.length === 0) return;
			end();
			write(lines.map(line => `${line}\n`).join(''));
		},
		prompt(now) {
			if (now === null) return end();
			if (typed !== null) {
				const change = typedOver(typed, now, columns());
				if (change !== undefined) {
					if (change !== '') write(change);
					typed = now;
					return;
				}
			}
			end();
			write(now.text + back(now.text.slice(now.cursor)));
			typed = now;
		},
	};
};
