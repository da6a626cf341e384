import type {State} from '../../core/program.ts';
import type {Viewer} from './open-file.ts';
import {clampTop, scrollToOffset, type ViewportText, type Window} from '../../../text/columns/viewport.ts';
import {keyFor} from '../../core/keys/live-keys.ts';
import type {CodePlace} from '../../cells/rows/read-notebook.ts';
import {notices} from '../../core/store/notices.ts';
import {route} from '../../core/store/route.ts';
import type {FileViewer} from './open-file.ts';
import {runInRepl} from '../ports.ts';

/**
 * Wraps an action on the visible text as a handler. The handler returns a sentence if no text is
 * visible.
 */
export type WithText = (
	act: (sheet: ViewportText, window: Window, now: Viewer) => string | void,
) => () => string | void;

export const NOT_YET = 'There is no text here yet';

/** State and open file, as the handlers of the viewer need them. */
export type Access = {
	readonly get: () => State;
	readonly server: string;
	readonly withText: WithText;
	readonly change: (next: Parameters<FileViewer['changeViewer']>[1]) => void;
};

/**
 * Index of the selected code cell. Without a selection, of the first code cell at or below the top
 * row; -1 if there is none.
 */
const chosenIn = (code: readonly CodePlace[], sheet: ViewportText, window: Window, now: Viewer): number => {
	const from = clampTop(sheet, now.top, window).line;
	return now.cell !== null && now.cell < code.length ? now.cell : code.findIndex(({row}) => row >= from);
};

/**
 * Keys for a notebook that is shown, not edited: they select code cells and run them in the REPL.
 */
export const notebookKeys = ({get, server, withText, change}: Access) => {
	const choose = (
		code: readonly CodePlace[],
		cell: number,
		sheet: ViewportText,
		window: Window,
		now: Viewer,
	): void =>
		change({
			cell,
			line: null,
			...scrollToOffset(sheet, now.top, sheet.index.start(code[cell]?.row ?? 0), window),
			left: 0,
		});
	return {
		nextCell: (code: readonly CodePlace[], step: number) =>
			withText((sheet, window, now) => {
				const at = chosenIn(code, sheet, window, now);
				const begin = at < 0 ? code.length : at;
				// If no cell is selected, the next cell is the first visible one.
				const next = step > 0 && now.cell === null ? begin : begin + step;
				if (code[next] === undefined) return `There is no code cell ${step > 0 ? 'below' : 'above'}`;
				choose(code, next, sheet, window, now);
			})(),
		/** Runs the selected cell and selects the next cell. */
		runCell: (code: readonly CodePlace[]) =>
			withText((sheet, window, now) => {
				if (code.length === 0) return 'This notebook has no code';
				const at = chosenIn(code, sheet, window, now);
				const place = code[at];
				if (place === undefined)
					return `There is no code cell below: ${keyFor('viewer.foldMore')} chooses the one above`;
				runInRepl(get, server, [place.source], '');
				notices(get).notify('info', `Code cell ${at + 1} of ${code.length} runs in the REPL.`);
				choose(code, Math.min(at + 1, code.length - 1), sheet, window, now);
			})(),
		/** Runs all code cells up to the first failure. */
		runAll(code: readonly CodePlace[]): string | void {
			if (code.length === 0) return 'This notebook has no code';
			runInRepl(
				get,
				server,
				code.map(({source}) => source),
				'',
			);
			route(get).focus('repl');
		},
	};
};
