// Colours are roles. There is one terminal, so what holds for it is set once, before the first frame.
import type {BoxProps} from 'ink';
import type {Theme} from '../store/session.ts';
import type {CodeRole} from '../../../text/python/code-language.ts';
import {withAscii} from './ascii.ts';
import {glyph} from './glyphs.ts';

type BoxStyle = Exclude<NonNullable<BoxProps['borderStyle']>, string>;

type Codes = readonly [on: string, off: string];

/** The 16 colours of the terminal's own palette, so that its dark and light themes stay readable. */
const TERMINAL = {
	/** Names of screens, column heads. */ heading: ['1', '22'],
	/** What is less important: ages, rules, line numbers. */ dim: ['2', '22'],
	/** Keys, the cursor's mark, the active tab. */ accent: ['36', '39'],
	/** The row under the cursor, where the keys go. */ selected: ['7', '27'],
	/** Ready, done, available. */ good: ['32', '39'],
	/** Under way. */ busy: ['33', '39'],
	/** Failed, refused. */ bad: ['31', '39'],
	/** What the user typed. */ own: ['1', '22'],
	/** A bracket and its partner. */ match: ['1;4', '22;24'],
	/** Titles in a text. */ title: ['1;4', '22;24'],
	emphasis: ['3', '23'],
	strike: ['9', '29'],
	link: ['4', '24'],
	// Of profiles, by name.
	red: ['31', '39'],
	yellow: ['33', '39'],
	green: ['32', '39'],
	cyan: ['36', '39'],
	blue: ['34', '39'],
	magenta: ['35', '39'],
} as const satisfies Record<string, Codes>;

export type Role = keyof typeof TERMINAL;

/** What a theme has of its own: exact colours, and what stands for them where the terminal has 16. */
const OWN: Readonly<Record<Exclude<Theme, 'terminal'>, Partial<Readonly<Record<Role, string | Codes>>>>> = {
	dark: {
		dim: '#8a8f98',
		accent: '#5fd7d7',
		good: '#87d75f',
		busy: '#ffd75f',
		bad: '#ff6b6b',
		red: '#ff6b6b',
		yellow: '#ffd75f',
		green: '#87d75f',
		cyan: '#5fd7d7',
		blue: '#7aa8ff',
		magenta: '#d79bff',
	},
	light: {
		dim: '#5f6670',
		accent: '#005f87',
		good: '#1f6f1f',
		busy: '#875f00',
		bad: '#b00020',
		red: '#b00020',
		yellow: '#875f00',
		green: '#1f6f1f',
		cyan: '#005f87',
		blue: '#1f3fbf',
		magenta: '#7f1f9f',
	},
	// Readable on every background: weight, lines and inversion instead of colours, and nothing dim.
	'high-contrast': {
		dim: ['', ''],
		accent: ['1;4', '22;24'],
		good: ['1', '22'],
		busy: ['4', '24'],
		bad: ['1;7', '22;27'],
		red: ['1', '22'],
		yellow: ['1', '22'],
		green: ['1', '22'],
		cyan: ['1', '22'],
		blue: ['1', '22'],
		magenta: ['1', '22'],
	},
};

/** On a light background the palette's yellow and cyan are hard to read. */
const LIGHT_16: Partial<Readonly<Record<Role, Codes>>> = {
	dim: ['90', '39'],
	accent: ['34', '39'],
	busy: ['35', '39'],
	yellow: ['35', '39'],
	cyan: ['34', '39'],
};

const exact = (hex: string, depth: number): Codes => {
	const channels = [1, 3, 5].map(at => Number.parseInt(hex.slice(at, at + 2), 16));
	if (depth >= 24) return [`38;2;${channels.join(';')}`, '39'];
	const [red = 0, green = 0, blue = 0] = channels.map(channel => Math.round(channel / 51));
	return [`38;5;${16 + 36 * red + 6 * green + blue}`, '39'];
};

const codesFor = (theme: Theme, depth: number): Readonly<Record<Role, Codes>> => {
	const own: Partial<Record<Role, string | Codes>> = theme === 'terminal' ? {} : OWN[theme];
	const of16: Partial<Readonly<Record<Role, Codes>>> = theme === 'light' ? LIGHT_16 : {};
	const codes = (role: Role): Codes => {
		const wanted = own[role] ?? TERMINAL[role];
		if (typeof wanted !== 'string') return wanted;
		return depth >= 8 ? exact(wanted, depth) : (of16[role] ?? TERMINAL[role]);
	};
	return Object.fromEntries((Object.keys(TERMINAL) as Role[]).map(role => [role, codes(role)])) as Record<
		Role,
		Codes
	>;
};

/** How the terminal is drawn on. `depth`: bits of a colour, 1 for none. */
export type Look = {readonly theme: Theme; readonly depth: number; readonly ascii: boolean};

let look: Look = {theme: 'terminal', depth: 4, ascii: false};
let codes: Readonly<Record<Role, Codes>> = TERMINAL;

/** Called before the first frame; what is drawn later looks so. */
export const setLook = (next: Look): void => {
	look = next;
	codes = codesFor(next.theme, next.depth);
};

export const isAscii = (): boolean => look.ascii;

/** Text in a role. Never spans lines. */
export const paint = (role: Role, text: string): string => {
	const [on, off] = codes[role];
	return text === '' || on === '' ? text : `\u001B[${on}m${text}\u001B[${off}m`;
};

const SGR = /\u001B\[([\d;]+)m/g;
/** Among the values of a sequence, which may set weight and colours at once: those of code's output do. */
const COLOUR = /(?:^|;)(?:[34]8;(?:5;\d*|2;\d*;\d*;\d*)|3\d|4\d|9[0-7]|10[0-7])(?=;|$)/g;

const withoutColours = (row: string): string =>
	row.replaceAll(SGR, (_, values: string) => {
		const left = values.replaceAll(COLOUR, '').replace(/^;/, '');
		return left === '' ? '' : `\u001B[${left}m`;
	});

/** A row as this terminal shows it: where it has no colours, weight and inversion stay. */
export const forTerminal = (row: string): string => {
	const seen = look.depth > 1 ? row : withoutColours(row);
	return look.ascii ? withAscii(seen) : seen;
};

/** Code, from the terminal's own 16 colours: none that is hard to read on a light or a dark ground. */
const CODE = {
	keyword: ['35', '39'],
	string: ['32', '39'],
	number: ['36', '39'],
	type: ['36', '39'],
	title: ['1', '22'],
	comment: ['2', '22'],
	meta: ['2', '22'],
	added: ['32', '39'],
	removed: ['31', '39'],
} as const satisfies Record<CodeRole, Codes>;

/** A part of a line of code. Never spans lines. */
export const paintCode = (role: CodeRole, text: string): string =>
	`\u001B[${CODE[role][0]}m${text}\u001B[${CODE[role][1]}m`;

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
export const quiet = (row: string): string => paint('dim', row.replaceAll(SGR, ''));
