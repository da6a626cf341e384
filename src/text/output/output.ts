import {capped} from '../width/cap.ts';
import {readControl, type Control} from './control.ts';
import {AppendedLine, CellLine, type OutputLine} from './line.ts';
import {reveal} from './reveal.ts';
import {NO_STYLE, applySgr, type Style} from '../width/sgr.ts';

/** Number of lines above the last line that the cursor can reach, as in a terminal. */
const REACHED = 60;

/**
 * Output in which the cursor moves up and down. Consists of the lines that it can reach and the
 * final text above them.
 */
class OutputScreen {
	readonly #above: string[] = [];
	#lines: CellLine[] = [new CellLine()];
	#row = 0;

	get line(): CellLine {
		const line = this.#lines[this.#row];
		if (line === undefined) throw new Error('the cursor is outside of its screen');
		return line;
	}

	newline(): void {
		this.#row++;
		if (this.#row === this.#lines.length) this.#lines.push(new CellLine());
		if (this.#lines.length > REACHED && this.#row > 0) {
			this.#above.push(this.#lines.shift()?.finish() ?? '');
			this.#row--;
		}
		this.line.toColumn(0);
	}

	/** Moves the cursor by `lines`. As in a terminal, it stops at the first and last line. */
	move(lines: number, toStart: boolean): void {
		const {column} = this.line;
		this.#row = Math.max(0, Math.min(this.#row + lines, this.#lines.length - 1));
		this.line.toColumn(toStart ? 0 : column);
	}

	finish(): string {
		return [...this.#above, ...this.#lines.map(line => line.finish())].join('\n');
	}
}

/**
 * `removed`: number of removed control sequences. `hidden`: number of UTF-16 units beyond 1 MB,
 * which are not read.
 */
export type Output = {readonly text: string; readonly removed: number; readonly hidden: number};

const needsLook = /[^\n\u0020-\u007e]/;
const isSpecial = (unit: number): boolean => unit < 0x20 || (unit >= 0x7f && unit <= 0x9f);

type State = {style: Style; removed: number; readonly colour: boolean};

const obey = (control: Control, line: OutputLine, state: State): void => {
	switch (control.kind) {
		case 'colour': {
			const {style, complete} = applySgr(state.style, control.parameters);
			if (!complete) state.removed++;
			if (state.colour) state.style = style;
			break;
		}

		case 'start':
			return line.toStart();
		case 'back':
			return line.back();
		case 'tab':
			return line.tab(state.style);
		case 'erase':
			return line.erase(control.what);
		case 'move':
		case 'removed':
			state.removed++;
	}
};

/** Removes carriage returns directly before the line end, because they have no effect. */
const withoutReturnsAtEnd = (line: string): string => {
	let end = line.length;
	// Loop instead of /\r+$/, which takes quadratic time if other text follows many carriage
	// returns.
	while (end > 0 && line.charCodeAt(end - 1) === 0x0d) end--;
	return line.slice(0, end);
};

const safeLine = (source: string, state: State): string => {
	const text = withoutReturnsAtEnd(source);
	if (state.style === NO_STYLE && !needsLook.test(text)) return text;
	const line: OutputLine = /[\r\b]/.test(text) ? new CellLine() : new AppendedLine();
	let from = 0;
	let at = 0;
	while (at < text.length) {
		if (!isSpecial(text.charCodeAt(at))) {
			at++;
			continue;
		}

		if (from < at) line.write(reveal(text.slice(from, at)), state.style);
		const control = readControl(text, at);
		obey(control, line, state);
		at = control.end;
		from = at;
	}

	if (from < at) line.write(reveal(text.slice(from)), state.style);
	return line.finish();
};

const movesUp = /(?:\u001b\[|\u009b)\d{0,3}[AF]/;

/**
 * True if the text moves the cursor up to earlier lines. These lines are final only at the end of
 * the text.
 */
export const redrawsLines = (text: string): boolean =>
	// The regular expression alone is twenty times slower, and most texts contain neither
	// character.
	(text.includes('\u001b') || text.includes('\u009b')) && movesUp.test(text);
/** Maximum length of an incomplete move-up sequence at the end of a text, in UTF-16 units. */
export const LONGEST_MOVE = 5;

/** Renders text that moves the cursor up: several progress bars, a table that is redrawn. */
const screenText = (text: string, state: State): string => {
	const screen = new OutputScreen();
	let from = 0;
	const flush = (to: number): void => {
		if (from < to) screen.line.write(reveal(text.slice(from, to)), state.style);
	};
	for (let at = 0; at < text.length;) {
		if (!isSpecial(text.charCodeAt(at))) {
			at++;
			continue;
		}
		flush(at);
		if (text[at] === '\n') {
			screen.newline();
			at++;
		} else {
			const control = readControl(text, at);
			if (control.kind === 'move') screen.move(control.lines, control.toStart);
			else obey(control, screen.line, state);
			at = control.end;
		}
		from = at;
	}
	flush(text.length);
	return screen.finish();
};

/**
 * Renders program output for the screen. Keeps colours and emphasis unless `colour` is false, and
 * resets and reopens them at line ends. Carriage return, backspace and `CSI K` act within their
 * line, so a progress bar is one line. The cursor can move up within the last 60 lines. All other
 * controls are removed and counted.
 */
export const output = (text: string, {colour = true}: {readonly colour?: boolean} = {}): Output => {
	const seen = capped(text);
	const hidden = text.length - seen.length;
	if (!needsLook.test(seen)) return {text: seen, removed: 0, hidden};
	const state: State = {style: NO_STYLE, removed: 0, colour};
	if (redrawsLines(seen)) return {text: screenText(seen, state), removed: state.removed, hidden};
	const lines = seen.split('\n').map(line => safeLine(line, state));
	return {text: lines.join('\n'), removed: state.removed, hidden};
};
