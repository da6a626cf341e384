import type {PictureReplies} from './terminal-replies.ts';
import type {Size} from './size.ts';

export const PICTURE_SETTINGS = ['auto', 'blocks'] as const;
export type PictureSetting = (typeof PICTURE_SETTINGS)[number];

/**
 * Mode in which the terminal shows pictures, and the reason for it. `cell`: size of a cell in
 * pixels, which is known in all modes except blocks.
 */
export type PictureMode =
	| {
			readonly how: 'kitty' | 'iterm2' | 'sixel';
			readonly cell: Size;
			/** Maximum number of colours in a picture. Infinite if there is no limit. */
			readonly colours: number;
			/**
			 * True if pictures can be part of the text, which also works in tmux. Only with kitty's
			 * graphics.
			 */
			readonly isInText: boolean;
			readonly why: string;
	  }
	| {readonly how: 'blocks'; readonly why: string};

/**
 * Properties of tmux and of the terminal around it. `passthrough`: null if tmux lacks the option.
 */
export type TmuxInfo = {
	readonly passthrough: string | null;
	readonly name: string;
	/** Terminal features that tmux has detected, such as `RGB,title`. */
	readonly features: string;
	readonly cell: Size;
};

export type PictureSupport = {
	readonly setting: PictureSetting;
	readonly env: Readonly<Record<string, string | undefined>>;
	/** Bits of colour. */
	readonly depth: number;
	/** Size of the terminal in cells. */
	readonly cells: Size;
	readonly answers: PictureReplies;
	/** Null outside of tmux. */
	readonly tmux: TmuxInfo | null;
};

/**
 * Terminals that support kitty's Unicode placeholders, with the first version that does. Other
 * terminals may reply to kitty's query but cannot draw placeholders.
 */
const PLACEHOLDERS: readonly (readonly [name: RegExp, major: number, minor: number])[] = [
	[/^kitty\((\d+)\.(\d+)/i, 0, 28],
	[/^ghostty (\d+)\.(\d+)/i, 1, 0],
];
/** Maximum number of sixel colours if the terminal does not report its own. */
const MOST_COLOURS = 256;
const INLINE_IMAGES = /^(?:iTerm2|WezTerm|mintty)\b/i;

const drawsPlaceholders = (name: string): boolean =>
	PLACEHOLDERS.some(([pattern, leastMajor, leastMinor]) => {
		const [, major, minor] = pattern.exec(name) ?? [];
		return Number(major) > leastMajor || (Number(major) === leastMajor && Number(minor) >= leastMinor);
	});

/** Returns a cell size in pixels if it is plausible, else null. */
const plausible = (size: Size | undefined, isOne: (pixels: number) => boolean = () => true): Size | null =>
	size !== undefined &&
	size.width >= 3 &&
	size.width <= 200 &&
	size.height >= 5 &&
	size.height <= 400 &&
	isOne(size.width) &&
	isOne(size.height)
		? size
		: null;

const blocks = (why: string): PictureMode => ({how: 'blocks', why});

const inText = (cell: Size): PictureMode => ({
	how: 'kitty',
	cell,
	colours: Infinity,
	isInText: true,
	why: 'full screen, and within cells once a picture was opened',
});

const inTmux = (tmux: TmuxInfo, {isKitty}: PictureReplies, depth: number): PictureMode => {
	if (tmux.passthrough === null) return blocks('tmux before 3.3 blocks pictures');
	if (!['on', 'all'].includes(tmux.passthrough))
		return blocks('tmux blocks them; add "set -g allow-passthrough on" to tmux.conf');
	if (!drawsPlaceholders(tmux.name) || isKitty === false)
		return blocks('inside tmux they need kitty 0.28 or newer, or Ghostty, as the outer terminal');
	if (isKitty === undefined) return blocks('the terminal around tmux has not responded');
	if (depth !== 24 || !tmux.features.split(',').includes('RGB'))
		return blocks(
			'tmux shows too few colours: "set -as terminal-features \",*:RGB\"" in tmux.conf fixes that',
		);
	const cell = plausible(tmux.cell);
	return cell === null ? blocks('tmux does not report the cell size') : inText(cell);
};

/** Chooses the mode by the replies received so far. More replies may arrive later, or never. */
export const choosePictureMode = ({
	setting,
	env,
	depth,
	cells,
	answers,
	tmux,
}: PictureSupport): PictureMode => {
	if (setting === 'blocks') return blocks('turned off in the settings');
	if (depth === 1) return blocks('colours are off');
	if (env['TERM'] === 'linux') return blocks('this terminal supports nothing better');
	if (tmux !== null) return inTmux(tmux, answers, depth);
	if (env['STY']) return blocks('GNU screen blocks pictures');
	const {isKitty, isSixel, name = '', window, graphics} = answers;
	const cell =
		plausible(answers.cell) ??
		plausible(
			window && {
				width: Math.floor(window.width / cells.width),
				height: Math.floor(window.height / cells.height),
			},
		) ??
		plausible(
			graphics && {width: graphics.width / cells.width, height: graphics.height / cells.height},
			Number.isInteger,
		);
	const isITerm = name === '' && (env['TERM_PROGRAM'] === 'iTerm.app' || env['LC_TERMINAL'] === 'iTerm2');
	const how =
		isKitty === true && drawsPlaceholders(name)
			? 'kitty'
			: INLINE_IMAGES.test(name) || isITerm
				? 'iterm2'
				: isSixel === true
					? 'sixel'
					: isKitty === true
						? 'kitty'
						: null;
	if (how === null)
		return blocks(
			isSixel === undefined
				? 'the terminal has not responded'
				: 'the terminal supports neither kitty graphics, inline images nor sixel',
		);
	if (cell === null) return blocks('the terminal does not report its cell size');
	// The colour of a placeholder is the picture's number, so 24-bit colour is needed.
	if (how === 'kitty' && drawsPlaceholders(name) && depth === 24) return inText(cell);
	return {
		how,
		cell,
		colours: how === 'sixel' ? (answers.colours ?? MOST_COLOURS) : Infinity,
		isInText: false,
		why: 'full screen; block characters in panes',
	};
};

const NAMES = {
	kitty: "kitty's graphics",
	iterm2: "iTerm2's inline images",
	sixel: 'sixel',
	blocks: 'block characters',
} as const satisfies Record<PictureMode['how'], string>;

export const pictureModeText = ({how, why}: PictureMode): string => `${NAMES[how]}: ${why}`;
