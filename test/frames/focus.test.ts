// The focus is visible without colours. Among the titles of panes, only that of the focused pane is
// in reverse video, like the tab of its screen.
import headless from '@xterm/headless';
import {expect, test} from 'vitest';
import {isClosed, isPane} from '../../src/tui/core/features.ts';
import {glyph} from '../../src/tui/core/theme/glyphs.ts';
import {forTerminal, currentAppearance, setAppearance} from '../../src/tui/core/theme/theme.ts';
import {withScene} from './draw.tsx';
import {sceneName, type Size} from './scene.ts';
import {scenes} from './scenes/index.ts';

const SIZE = {columns: 120, rows: 40};
/** Rows of the screen: the header, and the titles of the panes. */
const HEADER = 0;
const TITLES = 1;

/** The reversed texts of each row, from left to right. */
const reversedIn = async (frame: string, {columns, rows}: Size): Promise<readonly (readonly string[])[]> => {
	const terminal = new headless.Terminal({cols: columns, rows, allowProposedApi: true, convertEol: true});
	await new Promise<void>(resolve => terminal.write(frame.replace(/\n$/, ''), resolve));
	const found = Array.from({length: rows}, (_, y) => {
		const line = terminal.buffer.active.getLine(y);
		const cells = Array.from({length: columns}, (__, x) => {
			const cell = line?.getCell(x);
			return cell !== undefined && cell.isInverse() !== 0 ? cell.getChars() || ' ' : '\0';
		});
		return cells
			.join('')
			.split(/\0+/)
			.map(run => run.trim())
			.filter(run => run !== '');
	});
	terminal.dispose();
	return found;
};

/** True for the title row of a pane, which is inside a rule. */
const isRule = (row: string): boolean => new RegExp(`${glyph.rule} .*${glyph.rule}`).test(row);

const plain = (row: string): string => row.replaceAll(/\u001B\[[\d;]*m/g, '');

const withPanes = scenes.filter(({screen}) => !screen.startsWith('dialogs/'));

test.each(withPanes.map(scene => [sceneName(scene), scene] as const))('%s', async (_, scene) => {
	const {frame, tab, hasPanes} = await withScene(scene, SIZE, ({frame: drawn, store}) => {
		const state = store.getState();
		return {frame: drawn, tab: state.screen, hasPanes: isPane(state.screen) && !isClosed(state)};
	});
	const before = currentAppearance();
	try {
		for (const depth of [4, 1]) {
			setAppearance({...before, depth});
			const rows = frame.split('\n').map(forTerminal);
			const reversed = await reversedIn(rows.join('\n'), SIZE);
			expect(reversed[HEADER], `${tab} ${depth}`).toHaveLength(1);
			if (!hasPanes) continue;
			const titles = rows.flatMap((row, y) =>
				y === TITLES || (y > TITLES && isRule(plain(row).slice(0, -1))) ? (reversed[y] ?? []) : [],
			);
			expect(titles, `${depth} bits of colour`).toHaveLength(1);
		}
	} finally {
		setAppearance(before);
	}
});
