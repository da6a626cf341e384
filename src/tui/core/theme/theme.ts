// Colours are roles. There is one terminal, so what holds for it stands here once; what is drawn after a change looks so.
import type {BoxProps} from 'ink';
import type {CodeRole} from '../../../text/python/code-language.ts';
import {withAscii} from './ascii.ts';
import {glyph} from './glyphs.ts';
import {codesOf, type Colours, type Role} from './palette.ts';

export type {Role} from './palette.ts';

type BoxStyle = Exclude<NonNullable<BoxProps['borderStyle']>, string>;

/** How the terminal is drawn on. */
export type Appearance = Colours & {readonly ascii: boolean};

let look: Appearance = {theme: 'terminal', depth: 4, ground: null, dimBy: 'faint', ascii: false};
let codes = codesOf(look);

export const setAppearance = (next: Appearance): void => {
	look = next;
	codes = codesOf(next);
};

export const currentAppearance = (): Appearance => look;
export const isAscii = (): boolean => look.ascii;

/** What was painted of an object, until the look changes. */
export const paintedCache = <Of extends object, Value>(): Pick<WeakMap<Of, Value>, 'get' | 'set'> => {
	let of = look;
	let known = new WeakMap<Of, Value>();
	const now = (): WeakMap<Of, Value> => {
		if (of !== look) known = new WeakMap();
		of = look;
		return known;
	};
	return {get: key => now().get(key), set: (key, value) => now().set(key, value)};
};

/** Text in a role. Never spans lines. */
export const paint = (role: Role, text: string): string => {
	const [on, off] = codes[role];
	return text === '' || on === '' ? text : `\u001B[${on}m${text}\u001B[${off}m`;
};

const SGR = /\u001B\[([\d;]+)m/g;
/** Among the values of a sequence, which may set weight and colours at once: those of code's output do. */
const COLOUR = /(?:^|;)(?:[34]8;(?:5;\d*|2;\d*;\d*;\d*)|3\d|4\d|9[0-7]|10[0-7])(?=;|$)/g;

/** Weight and inversion stay. */
const withoutHues = (row: string): string =>
	row.replaceAll(SGR, (_, values: string) => {
		const left = values.replaceAll(COLOUR, '').replace(/^;/, '');
		return left === '' ? '' : `\u001B[${left}m`;
	});

/** A row as this terminal shows it: where it has no colours, weight and inversion stay. */
export const forTerminal = (row: string): string => {
	const seen = look.depth > 1 ? row : withoutHues(row);
	return look.ascii ? withAscii(seen) : seen;
};

/** A part of a line of code. Never spans lines. */
export const paintCode = (role: CodeRole, text: string): string =>
	paint(role === 'title' ? 'heading' : role, text);

/** The frame of a box, for Ink's `<Box borderStyle>`: quieter than what is in it. */
export const boxStyle = (): BoxStyle => {
	const drawn = (line: string): string => forTerminal(paint('dim', line));
	return {
		topLeft: drawn(glyph.topLeft),
		top: drawn(glyph.rule),
		topRight: drawn(glyph.topRight),
		right: drawn(glyph.divider),
		bottomRight: drawn(glyph.bottomRight),
		bottom: drawn(glyph.rule),
		bottomLeft: drawn(glyph.bottomLeft),
		left: drawn(glyph.divider),
	};
};

/** What lies below a dialog: its own weights and colours would compete with what is asked. */
export const dimmed = (row: string): string => paint('dim', row.replaceAll(SGR, ''));
