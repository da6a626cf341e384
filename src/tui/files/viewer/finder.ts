import type {LineIndex} from '../../../text/columns/line-index.ts';
import {createFind, type Find} from '../../../text/columns/find.ts';
import {createEditor, type Editor} from '../../../text/editor/editor.ts';
import type {TextPosition} from '../../../text/columns/viewport.ts';
import type {State} from '../../core/program.ts';

export type FindState = {
	/** Text of the search field. */
	readonly field: Editor;
	/** True if the field has focus. */
	readonly typing: boolean;
	/** Number of matches so far, and true once the whole text was searched. */
	readonly count: number;
	readonly complete: boolean;
	/** Current match: its offset in the text, and its index among the matches. */
	readonly at: {readonly offset: number; readonly number: number} | null;
	/** View before the search, which Esc restores. Null if there was no text then. */
	readonly origin: {readonly top: TextPosition; readonly left: number} | null;
};

/** State of a search that has not started, or whose text has changed. */
export const NO_MATCH = {count: 0, complete: true, at: null} as const;

/** Resolves after pending keys were handled. */
export const nextTurn = async (): Promise<void> => new Promise(resolve => setImmediate(resolve));

type Found = {readonly find: FindState | null};

export type WordFinder = {
	/**
	 * Searches the shown text. Resolves to the offset of the first match at or after `from`; if
	 * there is none, of the first match in the text. Null if the text has no match, or if a newer
	 * search has started.
	 */
	findWords(server: string, index: LineIndex, words: string, from: number): Promise<number | null>;
	/** Ends the search. */
	stopFinding(server: string): void;
	/** Moves to the next or previous match. After the last match the first one follows. */
	findAnother(server: string, step: 1 | -1): Promise<number | null>;
};

/** Searches the text of a viewer step by step, so that keys are not delayed. */
export const finderOf = (
	get: () => State,
	change: (server: string, how: (viewer: Found) => Partial<Found>) => void,
): WordFinder => {
	let finder: {readonly server: string; readonly find: Find} | undefined;
	/** Continues the search until `choose` returns a match or the text ends. */
	const search = async (server: string, choose: (find: Find) => number | null): Promise<number | null> => {
		const mine = finder;
		if (mine?.server !== server) return null;
		for (;;) {
			const number = choose(mine.find);
			if (number !== null) {
				const offset = mine.find.at(number);
				change(server, ({find}) => (find ? {find: {...find, at: {offset, number}}} : {}));
				return offset;
			}
			if (mine.find.complete) return null;
			await nextTurn();
			if (finder !== mine) return null;
			mine.find.advance();
		}
	};
	const countAll = async (server: string): Promise<void> => {
		const mine = finder;
		if (mine === undefined) return;
		for (let reportedAt = 0; finder === mine && get().viewers.get(server)?.find;) {
			const {count, complete} = mine.find;
			if (complete || performance.now() - reportedAt > 100) {
				reportedAt = performance.now();
				change(server, ({find}) => (find ? {find: {...find, count, complete}} : {}));
			}
			if (complete) return;
			await nextTurn();
			mine.find.advance();
		}
	};
	return {
		async findWords(server, index, words, from) {
			if (words === '') {
				finder = undefined;
				change(server, ({find}) => (find ? {find: {...find, ...NO_MATCH}} : {}));
				return null;
			}
			finder = {server, find: createFind(index.text, words)};
			change(server, ({find}) => ({
				find: {
					field: createEditor(words),
					typing: false,
					origin: null,
					...find,
					...NO_MATCH,
					complete: false,
				},
			}));
			void countAll(server);
			return search(server, find => {
				const number = find.firstFrom(from);
				if (number < find.count) return number;
				return find.complete && find.count > 0 ? 0 : null;
			});
		},
		stopFinding(server) {
			finder = undefined;
			change(server, () => ({find: null}));
		},
		findAnother(server, step) {
			const {offset = -1, number = -1} = get().viewers.get(server)?.find?.at ?? {};
			return search(server, find => {
				if (step > 0 && number + 1 < find.count) return number + 1;
				if (step < 0 && number > 0 && find.searched >= offset) return number - 1;
				if (!find.complete || find.count === 0) return null;
				return step > 0 ? 0 : find.count - 1;
			});
		},
	};
};
