// Colours are roles. There is one terminal, so its appearance is stored once, in this module; a
// change applies to text drawn afterwards.
import {stripVTControlCharacters} from 'node:util';
import type {BoxProps} from 'ink';
import type {CodeRole} from '../../../text/python/code-language.ts';
import {withAscii} from './ascii.ts';
import {glyph} from './glyphs.ts';
import {codesOf, type Colours, type Role} from './colours.ts';

export type {Role} from './colours.ts';

type BoxStyle = Exclude<NonNullable<BoxProps['borderStyle']>, string>;

/** Appearance of the terminal. */
export type Appearance = Colours & {readonly ascii: boolean};

let look: Appearance = {theme: 'terminal', depth: 4, ground: null, dimBy: 'faint', ascii: false};
let codes = codesOf(look);

export const setAppearance = (next: Appearance): void => {
	look = next;
	codes = codesOf(next);
};

export const currentAppearance = (): Appearance => look;
export const isAscii = (): boolean => look.ascii;

/** Cache of painted text by object. It is emptied when the appearance changes. */
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

/** Matches a sequence that ends all styles or the background colour. */
const ENDS_GROUND = /\u001B\[(?:0|(?:[\d;]*;)?49)?m/g;

const GROUND_ROLES: ReadonlySet<Role> = new Set(['selected', 'raised', 'field']);

/** Paints text in a role. Never spans lines. */
export const paint = (role: Role, text: string): string => {
	const [on, off] = codes[role];
	if (text === '' || on === '') return text;
	const inside = GROUND_ROLES.has(role) ? text.replaceAll(ENDS_GROUND, `$&\u001B[${on}m`) : text;
	return `\u001B[${on}m${inside}\u001B[${off}m`;
};

/**
 * True if the selected row has a tinted background, on which text keeps its colours. False for
 * inverse video.
 */
export const isSelectionTinted = (): boolean => codes.selected[0].startsWith('48;');

/** A row on the ground of the selection. In inverse video, colours would be patches of ground. */
export const paintSelected = (row: string): string =>
	paint('selected', isSelectionTinted() ? row : stripVTControlCharacters(row));

/** True for a row that contains selected text. */
export const hasSelection = (row: string): boolean => row.includes(`\u001B[${codes.selected[0]}m`);

const SGR = /\u001B\[([\d;]+)m/g;
/** Matches the colours in the parameters of an SGR sequence, which may also set a weight. */
const COLOUR = /(?:^|;)(?:[34]8;(?:5;\d*|2;\d*;\d*;\d*)|3\d|4\d|9[0-7]|10[0-7])(?=;|$)/g;

/** Removes the colours of a row and leaves weight and inverse video. */
const withoutHues = (row: string): string =>
	row.replaceAll(SGR, (_, values: string) => {
		const left = values.replaceAll(COLOUR, '').replace(/^;/, '');
		return left === '' ? '' : `\u001B[${left}m`;
	});

/**
 * A row as this terminal can display it. Weight and inverse video remain; colours remain if
 * supported.
 */
export const forTerminal = (row: string): string => {
	const seen = look.depth > 1 ? row : withoutHues(row);
	return look.ascii ? withAscii(seen) : seen;
};

/** Paints a part of a line of code. The text must not contain line breaks. */
export const paintCode = (role: CodeRole, text: string): string =>
	paint(role === 'title' ? 'heading' : role, text);

/** Frame for Ink's `<Box borderStyle>`, less prominent than the content of the box. */
export const boxStyle = (): BoxStyle => {
	const drawn = (line: string): string => forTerminal(paint('raised', paint('rule', line)));
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

/**
 * Dims a row of the screen below a dialog. Its weights and colours are removed, because they would
 * draw attention away from the dialog.
 */
export const dimmed = (row: string): string => paint('dim', row.replaceAll(SGR, ''));
