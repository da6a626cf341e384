import type {Size} from '../../text/pixels/size.ts';
import {areSameCells, fittedInText, type Placed} from './in-text.ts';
import {encodePicture} from './read-picture.ts';
import {part, type App} from '../core/app.ts';

/** Request to draw a picture between the lines of text. `most`: available size in cells. */
export type Placing = {
	readonly key: object;
	/** Size of the picture itself, such as `640x480`. */
	readonly size: string;
	readonly bytes: () => Uint8Array;
	readonly most: Size;
	/** Maximum scale; without it the picture is not enlarged. */
	readonly largest?: number;
	/**
	 * Receives the reason if the picture cannot be drawn. Set only for a picture that fills the
	 * screen, which may have any number of bytes.
	 */
	readonly whenNot?: (why: string) => void;
};

export type PlacedState = {readonly placed: ReadonlyMap<object, Placed>};

export type PlacedPictures = {
	/** Sends a picture to the terminal, if possible. The picture is then listed in `placed`. */
	placePicture(placing: Placing): void;
	/**
	 * Places all pictures that are visible in a pane. If the terminal dropped a visible picture to
	 * make room, that picture is not placed again until it has been scrolled out of view. Otherwise
	 * two pictures could displace each other endlessly.
	 */
	placeInView(pane: string, placings: readonly Placing[]): void;
	dropPlaced(key: object): void;
};

/**
 * Limit of base64 characters. Sending a larger picture would block keys, so it is drawn in cells.
 */
const MOST_SENT = 2_000_000;

const firstPlaced = (): PlacedState => ({placed: new Map()});

export const placedPictures = part(
	'placedPictures',
	({get, set, deps: {placePicture: place, dropPicture: drop = () => {}}}: App): PlacedPictures => {
		/**
		 * Requested size, in cells, of pictures that are being encoded or could not be encoded, by
		 * key.
		 */
		const asked = new WeakMap<object, Size>();
		/**
		 * Keys of the pictures that are visible in each pane, and of visible pictures that the
		 * terminal dropped.
		 */
		const inView = new Map<string, ReadonlySet<object>>();
		const displaced = new Set<object>();
		const forgetDisplaced = (isKept: (key: object) => boolean): void => {
			for (const key of displaced) {
				if (isKept(key)) continue;
				displaced.delete(key);
				if (!get().placed.has(key)) asked.delete(key);
			}
		};
		const isInView = (key: object): boolean => [...inView.values()].some(keys => keys.has(key));
		const put = (key: object, placed: Placed | null): void => {
			const next = new Map(get().placed);
			const old = next.get(key);
			if (placed === null) next.delete(key);
			else next.set(key, placed);
			set({placed: next});
			if (old !== undefined && old.id !== placed?.id) drop(old.id);
		};
		return {
			placePicture({key, size, bytes, most, largest, whenNot}) {
				const fitted = fittedInText(get().pictureLook, size, most, largest);
				const before = asked.get(key);
				if (place === undefined || fitted === null) return;
				const {cells, pixels} = fitted;
				if (before !== undefined && areSameCells(before, cells)) return;
				asked.set(key, cells);
				const isWanted = (): boolean => asked.get(key) === cells;
				void encodePicture(bytes(), {as: 'png', size: pixels, colours: Infinity}).then(async made => {
					if (!isWanted()) return;
					if ('problem' in made) return whenNot?.(made.problem);
					if (whenNot === undefined && made.encoded.length > MOST_SENT) return;
					const gone = (): void => {
						if (isWanted()) {
							if (isInView(key)) displaced.add(key);
							else asked.delete(key);
						}
						put(key, null);
					};
					const id = await place(made.encoded, cells, gone);
					if (isWanted()) put(key, {id, cells});
					else drop(id);
				});
			},
			placeInView(pane, placings) {
				inView.set(pane, new Set(placings.map(({key}) => key)));
				forgetDisplaced(isInView);
				for (const placing of placings) placedPictures(get).placePicture(placing);
			},
			dropPlaced(key) {
				asked.delete(key);
				// Room is free now, so pictures that the terminal dropped may be placed again.
				forgetDisplaced(() => false);
				if (get().placed.has(key)) put(key, null);
			},
		};
	},
	firstPlaced,
);
