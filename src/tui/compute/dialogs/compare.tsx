import type {ComputeOption} from '../../../contract/compute.ts';
import {catalogueIndex, catalogueStats} from '../rows.ts';
import {knownText} from '../../../text/known.ts';
import {label} from '../../../text/safe.ts';
import {cellWidth, fit} from '../../../text/width/width.ts';
import {scrollText, withScrollMark} from '../../core/components/position.ts';
import {clamp} from '../../core/components/scroll.ts';
import type {Rect, State, DialogProps} from '../../core/program.ts';
import type {KeyContext} from '../../core/feature.ts';
import {useApp} from '../../core/store-context.ts';
import {lastResult} from '../../core/store/last-result.ts';
import {topDialog, route} from '../../core/store/route.ts';
import {keyHint} from '../../core/components/key-hint.ts';
import {isKeyAvailable} from '../../core/keys/live-keys.ts';
import {keyNameOf} from '../../../text/key-name.ts';
import {showKey} from '../../core/frame/footer.ts';
import {glyph} from '../../core/theme/glyphs.ts';
import {paint} from '../../core/theme/theme.ts';
import {CARD_WIDTH, DialogBox, lineWidth} from '../../core/dialogs/dialog-box.tsx';
import {REGION_WORDS, regionMark} from '../region-grid.ts';
import {comparedRows, type ComparedRow} from './compare-rows.ts';

const GAP = 2;
/** Widths of a column (with its gap) and of the row names, in cells. */
const COLUMN = {least: 14, most: 26} as const;
const NAME = {least: 11, most: 26} as const;
/** Rows of the box that do not scroll: column titles, two blank rows, and the keys. */
const FIXED_ROWS = 4;
/** Cells of a row besides its name and columns, and cells of the screen outside the row. */
const AROUND = {row: 3, box: 12} as const;

const hostText = ({cloud_host: host}: ComputeOption): string => label(knownText(host), 40);

const optionsOf = lastResult(
	(byId: ReadonlyMap<string, ComputeOption>, marked: ReadonlySet<string>): readonly ComputeOption[] =>
		[...marked].flatMap(id => byId.get(id) ?? []),
);
const markedOptions = (state: State): readonly ComputeOption[] =>
	optionsOf(catalogueIndex(state).byId, state.marked);

type Measures = {
	readonly rows: readonly ComparedRow[];
	readonly name: number;
	/** Width of a column, the first visible column, and the number of visible columns. */
	readonly column: number;
	readonly first: number;
	readonly count: number;
	/** Number of visible rows, and the largest possible index of the first one. */
	readonly height: number;
	readonly lastTop: number;
	readonly width: number;
};

const measure = (
	options: readonly ComputeOption[],
	rows: readonly ComparedRow[],
	at: number,
	body: Rect,
): Measures => {
	const inner = body.width - AROUND.box - AROUND.row;
	const longest = Math.max(...rows.map(({name}) => cellWidth(name)));
	const name = clamp(longest + 1, NAME.least, NAME.most);
	const needed = Math.max(
		...options.map(option => cellWidth(hostText(option)) + 2),
		...rows.flatMap(({cells}) => cells.map(cellWidth)),
	);
	const count = clamp(Math.floor((inner - name) / COLUMN.least), 1, Math.max(1, options.length));
	const even = Math.floor((Math.max(inner, COLUMN.least) - name) / count);
	// If there are few options, their columns are widened until the box is as wide as a card.
	const shared = Math.floor((CARD_WIDTH - AROUND.row - 4 - name) / count);
	const column = Math.min(even, Math.max(needed + GAP, Math.min(shared, COLUMN.most)));
	const height = Math.max(1, body.height - 2 - FIXED_ROWS);
	return {
		rows,
		name,
		column,
		first: clamp(at - count + 1, 0, Math.max(0, options.length - count)),
		count,
		height: Math.min(height, rows.length),
		lastTop: Math.max(0, rows.length - height),
		width: Math.max(CARD_WIDTH, name + count * column + AROUND.row + 4),
	};
};

const measureIn = (state: State, rect: Rect, at: number, isEveryRegion: boolean): Measures => {
	const options = markedOptions(state);
	return measure(options, comparedRows(options, catalogueStats(state).variants, isEveryRegion), at, rect);
};

/** The option in the column with the cursor. */
export const comparedOption = (get: () => State): ComputeOption | undefined => {
	const options = markedOptions(get());
	return options[clamp(topDialog(get(), 'compare')?.at ?? 0, 0, options.length - 1)];
};

/** True if there is a further column in this direction. */
export const hasColumnBeside = ({get}: KeyContext, step: 1 | -1): boolean => {
	const next = (topDialog(get(), 'compare')?.at ?? 0) + step;
	return next >= 0 && next < markedOptions(get()).length;
};

export const moveColumn = ({get}: KeyContext, step: 1 | -1): void => {
	const open = topDialog(get(), 'compare');
	if (open === undefined) return;
	const last = Math.max(0, markedOptions(get()).length - 1);
	route(get).changeDialog({...open, at: clamp((open.at ?? 0) + step, 0, last)});
};

/** Switches between a row per region and a row per country. */
export const toggleRegions = ({get}: KeyContext): void => {
	const open = topDialog(get(), 'compare');
	if (open !== undefined)
		route(get).changeDialog({kind: 'compare', at: open.at ?? 0, all: open.all !== true});
};

export const scrollComparison = ({get, rect}: KeyContext) => {
	const move = (by: (height: number) => number) => (): void => {
		const open = topDialog(get(), 'compare');
		if (open === undefined) return;
		const {lastTop, height} = measureIn(get(), rect, open.at ?? 0, open.all === true);
		route(get).changeDialog({...open, top: clamp((open.top ?? 0) + by(height), 0, lastTop)});
	};
	return {
		up: move(() => -1),
		down: move(() => 1),
		pageUp: move(height => -height),
		pageDown: move(height => height),
		first: move(() => -Infinity),
		last: move(() => Infinity),
	};
};

/** Key hints, as many as fit, and the meaning of the marks in the box. */
const footText = (width: number, columns: number, isEveryRegion: boolean): string => {
	const regions = isEveryRegion ? 'countries' : 'all regions';
	const marks = isEveryRegion
		? (['available', 'not', 'not offered'] as const)
				.map(state => `${regionMark(state)} ${paint('dim', REGION_WORDS[state])}`)
				.join('  ')
		: paint('dim', 'bold: best of its row');
	const keyOf = (action: string): string => paint('accent', showKey(keyNameOf(`compareOptions.${action}`)));
	const parts = [
		...(columns > 1 ? [`${keyOf('left')} ${keyOf('right')} column`] : []),
		...(isKeyAvailable('compareOptions.rent') ? [keyHint('compareOptions.rent', 'rent it')] : []),
		keyHint('compareOptions.regions', regions),
		marks,
	].filter(part => part !== '');
	while (parts.length > 1 && cellWidth(parts.join('   ')) > width) parts.pop();
	return parts.join('   ');
};

/** Marked options side by side, one column each. The best value of each row is highlighted. */
export const Compare = ({top = 0, at: wanted = 0, all = false, body}: DialogProps<'compare'>) => {
	const options = useApp(markedOptions);
	const marked = useApp(state => state.marked.size);
	const {variants} = useApp(catalogueStats);
	const at = clamp(wanted, 0, Math.max(0, options.length - 1));
	const found = measure(options, comparedRows(options, variants, all), at, body);
	const {rows, name, column, first, count, height, lastTop, width} = found;
	const isShown = (each: number): boolean => each >= first && each < first + count;
	const line = ({name: title, cells, best}: ComparedRow): string =>
		paint('dim', fit(title, name)) +
		cells
			.map((cell, index) => {
				const text = fit(cell, column - GAP, 'right');
				if (best?.has(index) !== true) return ' '.repeat(GAP) + text;
				// A tie is not bold, because two bold values in a row would compete.
				return ' '.repeat(GAP) + paint('accent', best.size === 1 ? paint('heading', text) : text);
			})
			.filter((_, index) => isShown(index))
			.join('');
	const heads = line({
		name: '',
		cells: options.map((option, index) =>
			index === at ? `${glyph.cursor} ${paint('heading', hostText(option))}` : paint('dim', hostText(option)),
		),
	});
	const from = Math.min(top, lastTop);
	const more = count < options.length ? ` · ${first + 1} to ${first + count}` : '';
	const lost = marked > options.length ? ` · ${marked - options.length} no longer offered` : '';
	const inner = lineWidth(body, width);
	return (
		<DialogBox
			title={`Compare ${options.length} offers${more}${lost}`}
			body={body}
			width={width}
			position={scrollText(from, height, rows.length)}
			lines={[
				heads,
				'',
				...withScrollMark(rows.slice(from, from + height).map(line), {
					...{from, height, count: rows.length, width: inner},
				}),
				'',
				footText(inner, options.length, all),
			]}
		/>
	);
};
