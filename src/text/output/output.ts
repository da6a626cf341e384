import {capped} from '../width/cap.ts';
import {readControl, type Control} from './control.ts';
import {AppendedLine, CellLine, type OutputLine} from './line.ts';
import {reveal} from './reveal.ts';
import {NO_STYLE, applySgr, type Style} from '../width/sgr.ts';

/** Number of lines above the last line to which the cursor can move, as in a terminal. */
const REACHED = 60;

/** Output whose cursor moves up and down: the lines within its reach, and the text above them. */
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

	/** Moves to an existing line: as in a terminal, the cursor stops at the first and the last. */
	move(lines: number, toStart: boolean): void {
		const {column} = this.line;
		this.#row = Math.max(0, Math.min(this.#row + lines, this.#lines.length - 1));
		this.line.toColumn(toStart ? 0 : column);
	}

	finish(): string {
		return [...this.#above, ...this.#lines.map(line => line.finish())].join('\n');
	}
}

/** `removed`: control sequences left out. `hidden`: UTF-16 units beyond 1 MB, not read. */
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

/** A return right before the line end has no effect. */
const withoutReturnsAtEnd = (line: string): string => {
	let end = line.length;
	// A loop, not /\r+$/: that takes quadratic time if other text follows many returns.
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

/** True if text is drawn over earlier lines: its lines are known only at the end. */
export const redrawsLines = (text: string): boolean =>
	// The expression alone is twenty times slower, and most texts contain neither.
	(text.includes('\u001b') || text.includes('\u009b')) && movesUp.test(text);
/** UTF-16 units at the end of a text that may be an unfinished sequence that moves up. */
export const LONGEST_MOVE = 5;

/** Text that returns to lines above: several progress bars, a table that is redrawn. */
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
 * Program output for the screen. Colours and emphasis stay (none with `colour: false`), closed at
 * each line end and opened again. Carriage return, backspace and `CSI K` act within their line, so
 * a progress bar is one line. The cursor moves up within the last 60 lines. All other controls are
 * removed and counted.
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
