// Colours of the themes. Tests in `test/tui/core/theme` check that every role has a contrast of at
// least 4.5:1 against its background.
import type {Hex, CustomColours, Theme} from '../../../settings/profile.ts';
import type {CodeRole} from '../../../text/python/code-language.ts';
import type {Background} from '../../../text/terminal-background.ts';

/** Parameters of the SGR sequences that turn a style on and off. */
export type Codes = readonly [on: string, off: string];

/**
 * Roles in the terminal's own 16 colours, so that the terminal's theme applies. Only colours that
 * are readable on black in xterm's palette are used.
 */
const TERMINAL = {
	/** Names of screens, column headers. */
	heading: ['1', '22'],
	/** Less important text: ages, rules, line numbers. */
	dim: ['2', '22'],
	/** Lines between parts of the screen. They are not text, so they may be paler. */
	rule: ['2', '22'],
	/** Keys, the cursor mark, the title of the focused pane. */
	accent: ['36', '39'],
	/** The selected row and the active tab. */
	selected: ['7', '27'],
	/** Ground of a box, where the terminal's own ground is known. */
	raised: ['', ''],
	/** Ground of an input. */
	field: ['4', '24'],
	/** Ready, done, available. */
	good: ['32', '39'],
	/** Work in progress. */
	busy: ['33', '39'],
	/** Failed, rejected. */
	bad: ['91', '39'],
	/** Text that the user typed. */
	own: ['1', '22'],
	/** A bracket and its partner. */
	match: ['1;4', '22;24'],
	/** Titles in Markdown text. */
	title: ['1;4', '22;24'],
	emphasis: ['3', '23'],
	strike: ['9', '29'],
	link: ['4', '24'],
	// Colours that a profile can choose, by name. None of the 16 blues is readable on black, the
	// usual background of terminals with 16 colours.
	red: ['91', '39'],
	yellow: ['33', '39'],
	green: ['32', '39'],
	cyan: ['36', '39'],
	blue: ['97;44', '39;49'],
	magenta: ['95', '39'],
	// Code.
	keyword: ['95', '39'],
	string: ['32', '39'],
	number: ['36', '39'],
	type: ['36', '39'],
	comment: ['2', '22'],
	meta: ['2', '22'],
	added: ['32', '39'],
	removed: ['91', '39'],
} as const satisfies Record<Exclude<CodeRole, 'title'>, Codes> & Record<string, Codes>;

export type Role = keyof typeof TERMINAL;
export const ROLES = Object.keys(TERMINAL) as readonly Role[];

/** Replacements for a light background, on which green, yellow and cyan are too pale. */
const LIGHT_16: Partial<Readonly<Record<Role, Codes>>> = {
	accent: ['34', '39'],
	good: ['34', '39'],
	busy: ['35', '39'],
	bad: ['31', '39'],
	red: ['31', '39'],
	yellow: ['30;43', '39;49'],
	green: ['30;42', '39;49'],
	cyan: ['30;46', '39;49'],
	blue: ['34', '39'],
	magenta: ['35', '39'],
	keyword: ['35', '39'],
	string: ['34', '39'],
	number: ['31', '39'],
	type: ['34', '39'],
	added: ['34', '39'],
	removed: ['31', '39'],
};

type Own = Partial<Readonly<Record<Role, Hex | Codes>>>;

const ofColours = (of: {
	readonly [Name in 'dim' | 'red' | 'yellow' | 'green' | 'cyan' | 'blue' | 'magenta']: Hex;
}): Own => ({
	...of,
	accent: of.cyan,
	good: of.green,
	busy: of.yellow,
	bad: of.red,
	keyword: of.magenta,
	string: of.green,
	number: of.cyan,
	type: of.cyan,
	comment: of.dim,
	meta: of.dim,
	added: of.green,
	removed: of.red,
});

/**
 * Styles without colours. Weight, underlines and inverse video are visible on every background;
 * nothing is dim.
 */
const HIGH_CONTRAST: Own = {
	dim: ['', ''],
	rule: ['', ''],
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
	keyword: ['1', '22'],
	string: ['', ''],
	number: ['', ''],
	type: ['', ''],
	comment: ['3', '23'],
	meta: ['', ''],
	added: ['1', '22'],
	removed: ['4', '24'],
};

const OWN: Readonly<Record<Exclude<Theme, 'terminal'>, Own>> = {
	dark: {
		...ofColours({
			dim: '#a0a7b2',
			red: '#ff7f76',
			yellow: '#e8b65f',
			green: '#63c98f',
			cyan: '#6cb6ff',
			blue: '#8fb8ff',
			magenta: '#d79bff',
		}),
		rule: '#4d5663',
	},
	light: {
		...ofColours({
			dim: '#565d66',
			red: '#b3261e',
			yellow: '#734800',
			green: '#17663a',
			cyan: '#0059b3',
			blue: '#1f3fbf',
			magenta: '#7f1f9f',
		}),
		rule: '#c3cad3',
	},
	'high-contrast': HIGH_CONTRAST,
};

const CUBE = [0, 95, 135, 175, 215, 255] as const;
const GREYS = Array.from({length: 24}, (_, index) => 8 + 10 * index);

const channelsOf = (hex: Hex): readonly number[] =>
	[1, 3, 5].map(at => Number.parseInt(hex.slice(at, at + 2), 16));
const nearestIn = (levels: readonly number[], wanted: number): number =>
	levels.reduce(
		(best, level, index) => (Math.abs(level - wanted) < Math.abs(levels[best]! - wanted) ? index : best),
		0,
	);

/** Index of the nearest of the 256 colours, from the colour cube or the greys. */
export const nearestOf256 = (hex: Hex): number => {
	const channels = channelsOf(hex);
	const distance = (levels: readonly number[]): number =>
		channels.reduce((sum, channel, index) => sum + (channel - (levels[index] ?? 0)) ** 2, 0);
	const [red = 0, green = 0, blue = 0] = channels.map(channel => nearestIn(CUBE, channel));
	const grey = nearestIn(GREYS, channels.reduce((sum, channel) => sum + channel, 0) / 3);
	const level = GREYS[grey] ?? 0;
	return distance([level, level, level]) < distance([CUBE[red]!, CUBE[green]!, CUBE[blue]!])
		? 232 + grey
		: 16 + 36 * red + 6 * green + blue;
};

const exact = (hex: Hex, depth: number): Codes => [
	depth >= 24 ? `38;2;${channelsOf(hex).join(';')}` : `38;5;${nearestOf256(hex)}`,
	'39',
];

/**
 * Style of less important text: SGR 2, or a grey of the 256 colours for terminals that may not draw
 * SGR 2. Bright black is not used, because some themes have it as background.
 */
export type DimStyle = 'faint' | 'grey';

/**
 * A grey for this background. If the background is unknown, the grey is readable on black and on
 * white.
 */
const greyOn = (ground: Background | null, isLight: boolean): Codes => [
	`38;5;${isLight ? 240 : ground === 'dark' ? 247 : 243}`,
	'39',
];

/**
 * Settings that determine the colours. `depth`: bits per colour, 1 for none. `ground`: background
 * of the terminal, null if unknown.
 */
export type Colours = {
	readonly theme: Theme;
	readonly depth: number;
	readonly ground: Background | null;
	readonly dimBy: DimStyle;
	/** The user's own colours. Used only if the terminal has more than 16. */
	readonly own?: CustomColours;
};

/**
 * Grounds of a selected row, a box and an input. Roles keep their colours on them, so they must
 * suit the terminal's own ground: inverse video, none and an underline if that is unknown.
 */
const GROUNDS: Partial<Readonly<Record<Role, Readonly<Record<Background, Hex>>>>> = {
	selected: {dark: '#28344a', light: '#dbe7f7'},
	raised: {dark: '#1e232b', light: '#f0f2f5'},
	field: {dark: '#262d38', light: '#e6eaf0'},
};

const groundCodes = (hex: Hex, depth: number): Codes => [exact(hex, depth)[0].replace('38', '48'), '49'];

/**
 * SGR codes of each role. With more than 16 colours on a known background, the program uses its own
 * colours. With 16 colours on a light background, the default theme uses those of `light`, because
 * the usual ones are too pale.
 */
export const codesOf = ({
	theme,
	depth,
	ground,
	dimBy,
	own: users = {},
}: Colours): Readonly<Record<Role, Codes>> => {
	const isLight = theme === 'light' || (theme === 'terminal' && ground === 'light');
	const isDark = depth >= 8 && (theme === 'dark' || (theme === 'terminal' && ground === 'dark'));
	const own: Own = {
		...(isLight ? OWN.light : isDark ? OWN.dark : theme === 'terminal' ? {} : OWN[theme]),
		...(depth >= 8 && users),
	};
	const grey = greyOn(ground, isLight);
	const terminals: Readonly<Record<Role, Codes>> =
		dimBy === 'grey' ? {...TERMINAL, dim: grey, rule: grey, comment: grey, meta: grey} : TERMINAL;
	const of16: typeof LIGHT_16 = isLight ? LIGHT_16 : {};
	const codes = (role: Role): Codes => {
		const grounds = GROUNDS[role];
		if (
			grounds !== undefined &&
			depth >= 8 &&
			ground !== null &&
			(isLight || isDark) &&
			isLight === (ground === 'light')
		)
			return groundCodes(grounds[ground], depth);
		const wanted = own[role] ?? terminals[role];
		if (typeof wanted !== 'string') return wanted;
		return depth >= 8 ? exact(wanted, depth) : (of16[role] ?? terminals[role]);
	};
	return Object.fromEntries(ROLES.map(role => [role, codes(role)])) as Record<Role, Codes>;
};
