import type {Size} from './size.ts';

/**
 * Queries: a one-pixel picture that is decoded but not shown (kitty's graphics), name and version
 * (XTVERSION), size of a cell and of the window, device attributes (DA1).
 */
const KITTY_QUESTION = '\u001B_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u001B\\';
const OTHERS = '\u001B[>0q\u001B[16t\u001B[14t\u001B[c';

/** Wraps a sequence so that tmux passes it on to the outer terminal. */
export const throughTmux = (sequence: string): string =>
	`\u001BPtmux;${sequence.replaceAll('\u001B', '\u001B\u001B')}\u001B\\`;

/**
 * Queries about a terminal's support for pictures. DA1 comes last, because every terminal replies
 * to it.
 */
export const pictureQuestion = (isInTmux: boolean): string =>
	isInTmux ? `${throughTmux(KITTY_QUESTION)}\u001B[c` : KITTY_QUESTION + OTHERS;

/**
 * Requests 256 colours and queries the resulting number. Send only to terminals with sixels,
 * because others might scroll.
 */
export const SIXEL_QUESTION = '\u001B[?1;3;256S';

/** Queries the maximum picture size if the cell size is unknown. xterm replies to it. */
export const GRAPHICS_QUESTION = '\u001B[?2;1;0S';

/** Replies of a terminal received so far. A field is undefined if there is no reply. */
export type PictureReplies = {
	readonly isKitty?: boolean;
	/** Name and version, such as `kitty(0.40.1)`. */
	readonly name?: string;
	readonly isSixel?: boolean;
	readonly colours?: number;
	/** Size of a cell and of the window, in pixels. */
	readonly cell?: Size;
	readonly window?: Size;
	/**
	 * Maximum size of a picture in pixels: that of the window, unless the terminal has a lower
	 * limit.
	 */
	readonly graphics?: Size;
};

const KITTY = /^\u001B_Gi=31[^;]*;(OK)?/;
const NAME = /^\u001BP>\|([\x20-\x7E]{1,100})\u001B\\$/;
const SIZE = /^\u001B\[([46]);(\d{1,5});(\d{1,5})t$/;
const COLOURS = /^\u001B\[\?1;0;(\d{1,5})S$/;
const GRAPHICS = /^\u001B\[\?2;0;(\d{1,5});(\d{1,5})S$/;
const DEVICE = /^\u001B\[\?([\d;]*)c$/;
const SIXEL = '4';

/** Adds a reply of the terminal. Returns the same object if the reply is not about pictures. */
export const withReply = (known: PictureReplies, sequence: string): PictureReplies => {
	const kitty = KITTY.exec(sequence);
	if (kitty) return {...known, isKitty: kitty[1] === 'OK'};
	const name = NAME.exec(sequence)?.[1];
	if (name !== undefined) return {...known, name};
	const [, kind, height, width] = SIZE.exec(sequence) ?? [];
	if (kind !== undefined)
		return {...known, [kind === '6' ? 'cell' : 'window']: {width: Number(width), height: Number(height)}};
	const [, wide, high] = GRAPHICS.exec(sequence) ?? [];
	if (wide !== undefined) return {...known, graphics: {width: Number(wide), height: Number(high)}};
	const colours = COLOURS.exec(sequence)?.[1];
	if (colours !== undefined) return {...known, colours: Number(colours)};
	const device = DEVICE.exec(sequence)?.[1];
	// The first number is the class of the terminal, not a feature.
	return device === undefined ? known : {...known, isSixel: device.split(';').slice(1).includes(SIXEL)};
};
