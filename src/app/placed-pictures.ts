// Pictures that the terminal holds for their placeholders: sent again where it has lost them, and taken away when they are not needed.
import {throughTmux} from '../text/pixels/terminal-replies.ts';
import {deletedPicture, sentPicture} from '../text/pixels/placeholders.ts';
import type {Size} from '../text/pixels/size.ts';

/** At a time; and UTF-16 units of all of them. */
const MOST = 32;
const MOST_UNITS = 16_000_000;
/** Another screen has pictures of its own, which end with it. The terminal around tmux sees none of that, and keeps them. */
const LOSES = /\u001B\[\?1049h/;
const COMMAND = /\u001B_G[^\u001B]*\u001B\\/g;

export type PlacedPictures = {
	/** Answers its number. `gone` is called when others have taken its place. */
	place(base64: string, cells: Size, gone: () => void): number;
	drop(id: number): void;
	/** What Ink has written. */
	wrote(text: string): void;
	/** The terminal is given back. */
	clear(): void;
};

/** `pane`: of tmux, where several programs share the terminal around it. */
export const createPlacedPictures = (
	write: (text: string) => void,
	isAway: () => boolean,
	{isInTmux, pane}: {readonly isInTmux: boolean; readonly pane: number},
): PlacedPictures => {
	const held = new Map<number, {readonly sent: string; readonly gone: () => void}>();
	// The same after a program that was killed: what it has left is replaced, or deleted here.
	const ids = Array.from({length: MOST}, (_, at) => 0x53_00_01 + ((pane & 255) << 8) + at);
	const tell = (text: string): void => {
		if (isAway()) return;
		// One by one: tmux takes no long sequence.
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
			// Behind what is being written.
			setImmediate(() => {
				for (const {sent} of held.values()) tell(sent);
			});
		},
		clear() {
			for (const id of held.keys()) drop(id);
		},
	};
};
