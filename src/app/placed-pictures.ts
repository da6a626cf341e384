// Pictures that the terminal stores and draws at placeholders. They are sent again after the
// terminal has dropped them, and deleted when unused.
import {throughTmux} from '../text/pixels/terminal-replies.ts';
import {deletedPicture, sentPicture} from '../text/pixels/placeholders.ts';
import type {Size} from '../text/pixels/size.ts';

/** Limits for all stored pictures: their number, and the sum of their UTF-16 units. */
const MOST = 32;
const MOST_UNITS = 16_000_000;
/**
 * Switch to the alternate screen, which has its own pictures. The terminal around tmux does not
 * receive the switch, so it keeps its pictures.
 */
const LOSES = /\u001B\[\?1049h/;
const COMMAND = /\u001B_G[^\u001B]*\u001B\\/g;

export type PlacedPictures = {
	/** Stores a picture and returns its id. `gone` is called when the picture is evicted. */
	place(base64: string, cells: Size, gone: () => void): number;
	drop(id: number): void;
	wrote(text: string): void;
	/** Deletes all pictures, before the terminal is given back. */
	clear(): void;
};

/** `pane`: number of the tmux pane. Several panes share the terminal around tmux. */
export const createPlacedPictures = (
	write: (text: string) => void,
	isAway: () => boolean,
	{isInTmux, pane}: {readonly isInTmux: boolean; readonly pane: number},
): PlacedPictures => {
	const held = new Map<number, {readonly sent: string; readonly gone: () => void}>();
	// The ids are fixed for each pane. Therefore new pictures replace those of a killed program, or
	// they are deleted here.
	const ids = Array.from({length: MOST}, (_, at) => 0x53_00_01 + ((pane & 255) << 8) + at);
	const tell = (text: string): void => {
		if (isAway()) return;
		// Sent one by one, since tmux refuses long sequences.
		write(isInTmux ? text.replaceAll(COMMAND, throughTmux) : text);
	};
	const drop = (id: number): void => {
		if (held.delete(id)) tell(deletedPicture(id));
	};
	const makeRoom = (units: number): void => {
		const total = (): number => [...held.values()].reduce((sum, {sent}) => sum + sent.length, units);
		while (held.size > 0 && (held.size >= MOST || total() > MOST_UNITS)) {
			const [[id, {gone}] = [0, {gone: () => {}}]] = held;
			drop(id);
			gone();
		}
	};
	tell(ids.map(deletedPicture).join(''));
	return {
		place(base64, cells, gone) {
			makeRoom(base64.length);
			const id = ids.find(each => !held.has(each)) ?? 0;
			const sent = sentPicture(id, base64, cells);
			held.set(id, {sent, gone});
			tell(sent);
			return id;
		},
		drop,
		wrote(text) {
			if (isInTmux || !LOSES.test(text)) return;
			// Sent after the text that is being written.
			setImmediate(() => {
				for (const {sent} of held.values()) tell(sent);
			});
		},
		clear() {
			for (const id of held.keys()) drop(id);
		},
	};
};
