import type {Size} from '../../text/pixels/size.ts';
import {areSameCells, fittedInText, type Placed} from './in-text.ts';
import {encodePicture} from './read-picture.ts';
import {part, type App} from '../core/app.ts';

/** What is asked to be placed. `key`: what it is known by. `most`: the room for it, in cells. */
export type Placing = {
	readonly key: object;
	/** The picture's own size, as `640x480`. */
	readonly size: string;
	readonly bytes: () => Uint8Array;
	readonly most: Size;
	/** How often it is enlarged at most. */
	readonly largest?: number;
	/** It is all that is shown: it may be of any size, and what keeps it from being placed is said. */
	readonly whenNot?: (why: string) => void;
};

export type PlacedState = {
	/** Pictures that stand in the text, by their key. */
	readonly placed: ReadonlyMap<object, Placed>;
};

export type PlacedPictures = {
	/** Has the terminal hold a picture, where it can; from then on it stands in `placed`. */
	placePicture(placing: Placing): void;
	/** Places all that a pane has in view. One that had to make room is asked for again only once it has left the view: else they would displace each other for ever. */
	placeInView(pane: string, placings: readonly Placing[]): void;
	dropPlaced(key: object): void;
};

/** Base64 of a picture that is sent among others: what is larger would hold up the keys, and stays in half blocks. */
const MOST_SENT = 2_000_000;

const firstPlaced = (): PlacedState => ({placed: new Map()});

export const placedPictures = part(
	'placedPictures',
	({get, set, deps: {placePicture: place, dropPicture: drop = () => {}}}: App): PlacedPictures => {
		/** Cells that are being made, or that cannot be, by key. */
		const asked = new WeakMap<object, Size>();
		/** Keys in view by pane, and those that had to make room. */
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
				// There is room again.
				forgetDisplaced(() => false);
				if (get().placed.has(key)) put(key, null);
			},
		};
	},
	firstPlaced,
);
