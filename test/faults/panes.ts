import {expect} from 'vitest';
import {inFileOrder} from '../../src/text/file-order.ts';
// Registers the panes of the listed features.
import '../../src/tui/feature-list.ts';
import {BODY_TOP, workspaceLayout} from '../../src/tui/core/frame/workspace-layout.ts';
import {pressAction} from '../support/press-action.ts';
import {expectDividers} from './columns.ts';
import {readPages} from './pages.ts';
import {screenOf, type Frame, type WatchedScreen} from './watched-screen.ts';

/** Terminal size at which the main pane has the whole width, and a companion is a row below it. */
export const SIZE = {columns: 111, rows: 40} as const;
const [main] = workspaceLayout(SIZE.columns, SIZE.rows, {
	...{main: 'files', focus: 'files', last: 'assistant', companions: ['repl', 'assistant']},
	...{inUse: new Set(), filled: new Set(), closed: new Set(), hasRail: true, isAlone: false},
}).panes;
if (main === undefined) throw new Error('there is no main pane');
export const MAIN = main;
/** First row below the title of the main pane. */
const FIRST_ROW = BODY_TOP + 1;
export const inOrder = (frame: Frame): void => expectDividers(frame, [MAIN]);

/** The text in the columns of a pane. */
export const paneText = (frame: Frame, {x, width}: {readonly x: number; readonly width: number}): string =>
	screenOf(frame.map(row => row.slice(x, x + width)));

/** The text without characters that wrapping adds or removes. */
export const squeezed = (text: string): string => text.replaceAll(/[\s▌│┃↪]/g, '');

const BELOW = /↓ (\d+) more lines?/;
export const placeOf =
	(pane: {readonly x: number; readonly width: number}) =>
	(frame: Frame): string | undefined =>
		BELOW.exec(paneText(frame, pane))?.[1];

/**
 * Throws if rows between two pages of a transcript were skipped, or if a page starts elsewhere than
 * its footer says.
 */
export const followsIn =
	(pane: {readonly x: number; readonly width: number}) =>
	(before: Frame, after: Frame): void => {
		const rowsOf = (frame: Frame): readonly string[] => {
			// Other rows are unchanged: only the cursor mark and the scroll mark at the right move.
			const rows = frame
				.slice(FIRST_ROW, -2)
				.map(row => row.slice(pane.x + 1, pane.x + pane.width - 1).join(''));
			return rows.slice(
				0,
				rows.findLastIndex(row => row.startsWith('─ ↓') || /^─+$/.test(row.slice(0, 20))),
			);
		};
		const below = (frame: Frame): number => Number(placeOf(pane)(frame) ?? 0);
		const [one, other] = [rowsOf(before), rowsOf(after)];
		const moved = below(before) - below(after);
		expect(moved, `${screenOf(before)}\n${screenOf(after)}`).toBeLessThan(one.length);
		expect(other.slice(0, one.length - moved), `${screenOf(before)}\n${screenOf(after)}`).toEqual(
			one.slice(moved),
		);
	};

/**
 * Scrolls to the top of a transcript. Earlier keys must have taken effect first, or the page read
 * would not be the first one.
 */
export const toTop = async (
	screen: WatchedScreen,
	pane: {readonly x: number; readonly width: number},
	scope: 'cells' | 'turns',
	top: RegExp,
): Promise<void> => {
	// The test first scrolls down, so that it can recognise the new top.
	pressAction(screen.terminal, scope, 'last');
	await screen.sees(frame => expect(placeOf(pane)(frame)).toBeUndefined());
	pressAction(screen.terminal, scope, 'first');
	await screen.sees(frame => {
		expect(placeOf(pane)(frame)).toBeDefined();
		expect(paneText(frame.slice(FIRST_ROW), pane)).toMatch(top);
	});
};

/** File names in the order of the tree. */
export const asListed = (names: readonly string[]): readonly string[] =>
	inFileOrder(names.map(name => ({name, isFolder: false}))).map(({name}) => name);

/** True if the text can be a path on Linux and can be part of a URL. */
export const canBeAsked = (path: string): boolean =>
	path.isWellFormed() &&
	Buffer.byteLength(path) <= 4096 &&
	path.split('/').every(segment => !/^\.{0,2}$|\0/.test(segment) && Buffer.byteLength(segment) <= 255);

export const openFiles = async (screen: WatchedScreen): Promise<void> => {
	await screen.shows(/calm +\S ready/);
	pressAction(screen.terminal, 'global', 'files');
	await screen.sees(frame => expect(frame.some(row => row[0] === '▸')).toBe(true));
};

export const openAssistant = async ({terminal, shows}: WatchedScreen): Promise<void> => {
	await shows(/calm +\S ready/);
	pressAction(terminal, 'global', 'assistant');
	await shows('esc read the answers');
};

/** The whole conversation, from its start. */
export const readTurns = async (screen: WatchedScreen): Promise<string> => {
	pressAction(screen.terminal, 'assistant', 'leave');
	await screen.shows('⏎ ask');
	return readFromTop(screen);
};

export const readFromTop = async (screen: WatchedScreen): Promise<string> => {
	const {terminal} = screen;
	await toTop(screen, MAIN, 'turns', /^[ ┃]*\n {3}› /);
	return readPages(screen, {
		from: MAIN.x,
		to: MAIN.x + MAIN.width,
		place: placeOf(MAIN),
		next: () => pressAction(terminal, 'turns', 'pageDown'),
		follows: followsIn(MAIN),
		check: inOrder,
	});
};

/** The last line of a complete answer. */
export const DONE = 'd:{"finishReason":"stop","usage":{"promptTokens":1,"completionTokens":2}}';
