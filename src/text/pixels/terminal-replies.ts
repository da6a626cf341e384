import type {Size} from './size.ts';

/** One pixel to be read and not shown (kitty's graphics), the name and version (XTVERSION), the size of a cell and of the window, what it is (DA1). */
const KITTY_QUESTION = '\u001B_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u001B\\';
const OTHERS = '\u001B[>0q\u001B[16t\u001B[14t\u001B[c';

/** A sequence for the terminal around tmux. */
export const throughTmux = (sequence: string): string =>
	`\u001BPtmux;${sequence.replaceAll('\u001B', '\u001B\u001B')}\u001B\\`;

/** What asks a terminal how it draws pictures. DA1 is last, since every terminal answers it. */
export const pictureQuestion = (isInTmux: boolean): string =>
	isInTmux ? `${throughTmux(KITTY_QUESTION)}\u001B[c` : KITTY_QUESTION + OTHERS;

/** Asks a terminal that draws sixels for 256 colours, and how many it has then: to others it might mean to scroll. */
export const SIXEL_QUESTION = '\u001B[?1;3;256S';

/** Asks a terminal that draws sixels, and does not tell the size of its cells, how large they may be together: xterm answers this one. */
export const GRAPHICS_QUESTION = '\u001B[?2;1;0S';

/** What a terminal has said of itself so far; undefined: nothing. */
export type PictureReplies = {
	readonly isKitty?: boolean;
	/** As `kitty(0.40.1)`. */
	readonly name?: string;
	readonly isSixel?: boolean;
	/** Colours that sixels may have. */
	readonly colours?: number;
	/** Pixels of a cell, and of the window. */
	readonly cell?: Size;
	readonly window?: Size;
	/** Pixels of the largest picture: of the window, where that is no larger than the terminal's own limit. */
	readonly graphics?: Size;
};

const KITTY = /^\u001B_Gi=31[^;]*;(OK)?/;
const NAME = /^\u001BP>\|([\x20-\x7E]{1,100})\u001B\\$/;
const SIZE = /^\u001B\[([46]);(\d{1,5});(\d{1,5})t$/;
const COLOURS = /^\u001B\[\?1;0;(\d{1,5})S$/;
const GRAPHICS = /^\u001B\[\?2;0;(\d{1,5});(\d{1,5})S$/;
const DEVICE = /^\u001B\[\?([\d;]*)c$/;
/** Attribute of DA1. */
const SIXEL = '4';

/** One sequence that a terminal has sent, put to what is known of it; the same object when it says nothing of pictures. */
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
	// The first is the class of the terminal.
	return device === undefined ? known : {...known, isSixel: device.split(';').slice(1).includes(SIXEL)};
};
