// Strip above the footer with the effects of the keys that may follow the leader.
import {Box} from 'ink';
import {useCallback} from 'react';
import {cellWidth, fit} from '../../../text/width/width.ts';
import {screenTitle} from '../components/pane-title.ts';
import {Rows} from '../components/rows.tsx';
import type {Size} from '../keys/key-context.ts';
import {chordHere, stripGroups, type StripGroup, type StripKey} from '../keys/leader.ts';
import type {State} from '../program.ts';
import {useApp} from '../store-context.ts';
import {glyph} from '../theme/glyphs.ts';
import {paint} from '../theme/theme.ts';
import {dockLabel, showKey} from './footer.ts';
import {FRAME_ROWS} from './workspace-layout.ts';

/** Least width of a group in cells, with the gap after it. */
const LEAST = 16;
const MOST = 34;
/** Least width of a group's keys, in cells. */
const KEYS = 4;
/** Rows of the frame below the strip: notice and footer. */
const BELOW = 2;
/** Rows that the strip leaves free: those of the frame, and the titles of the panes. */
const AROUND = FRAME_ROWS + 1;

const keyText = ({keys}: StripKey): string => keys.map(showKey).join(' ');

const shownKey = (key: StripKey, keyWidth: number, width: number): string => {
	const shown = fit(keyText(key), keyWidth);
	const label = fit(key.label, width - keyWidth);
	return key.acts ? `${paint('accent', shown)}${label}` : paint('dim', shown + label);
};

const groupLines = ({title, keys}: StripGroup, width: number): readonly string[] => {
	const keyWidth = keys.reduce((most, key) => Math.max(most, cellWidth(keyText(key)) + 1), KEYS);
	return [paint('heading', fit(title, width)), ...keys.map(key => shownKey(key, keyWidth, width))];
};

/** Groups side by side. If the screen is narrow, they take several tiers. */
const tiers = (groups: readonly StripGroup[], width: number): readonly string[] => {
	const inRow = Math.max(1, Math.min(groups.length, Math.floor(width / LEAST)));
	const tierCount = Math.ceil(groups.length / inRow);
	const each = Math.ceil(groups.length / tierCount);
	const column = Math.min(MOST, Math.floor(width / each));
	return Array.from({length: tierCount}, (_, tier) => groups.slice(tier * each, (tier + 1) * each)).flatMap(
		(row): readonly string[] => {
			const columns = row.map(group => groupLines(group, column - 1));
			const height = Math.max(...columns.map(({length}) => length));
			return Array.from({length: height}, (_unused, line) =>
				columns.map(lines => lines[line] ?? ' '.repeat(column - 1)).join(' '),
			);
		},
	);
};

/** Lines of the strip; none if it is not shown. */
export const stripLines = (state: State, {columns, rows}: Size): readonly string[] => {
	const {chord, isLeaderShown} = state;
	if (chord === null || !isLeaderShown) return [];
	const title = ` ${chordHere(state, chord, showKey)} `;
	const rule = `${paint('rule', glyph.rule)}${screenTitle(title, true)}${paint('rule', glyph.rule.repeat(Math.max(0, columns - 1 - cellWidth(title))))}`;
	const hides = (action: string): boolean =>
		dockLabel(state, action, {columns, rows})?.startsWith('hide ') === true;
	const lines = tiers(stripGroups(state, chord, {columns, rows}, hides), columns - 4);
	return [rule, ...lines.map(line => fit(`  ${line}`, columns))].slice(0, Math.max(0, rows - AROUND));
};

export const LeaderStrip = ({columns, rows}: Size) => {
	const lines = useApp(useCallback(state => stripLines(state, {columns, rows}).join('\n'), [columns, rows]));
	if (lines === '') return null;
	const shown = lines.split('\n');
	return (
		<Box position="absolute" top={rows - BELOW - shown.length} left={0} width={columns} height={shown.length}>
			<Rows lines={shown} height={shown.length} />
		</Box>
	);
};
