// Differences between two notebooks, by cell. Loaded on demand, when the first difference is shown.
import {diffArrays} from 'diff';
import {diffLines, type DiffLine} from '../columns/diff-lines.ts';
import {pythonJsonIn} from '../python-json.ts';
import {fieldsOf} from '../record.ts';
import {readNotebook, type Notebook, type NotebookCell} from './notebook.ts';

type Fields = Readonly<Record<string, unknown>>;
/** A cell that only one notebook has, or a cell of both. */
type Pair =
	| {readonly before: Placed; readonly after: null; readonly isMoved?: undefined}
	| {readonly before: Placed | null; readonly after: Placed; readonly isMoved?: true};
type Placed = {
	readonly cell: NotebookCell;
	/** Position in its notebook, counted from 1. */
	readonly number: number;
	readonly fields: Fields;
	/** Null if the cell has no id. */
	readonly id: string | null;
};

const placed = (cell: NotebookCell, index: number): Placed => {
	const fields = fieldsOf(pythonJsonIn(cell.text));
	const {id} = fields;
	return {cell, number: index + 1, fields, id: typeof id === 'string' ? id : null};
};

/** True if two cells are the same: by id if both have one, else by kind and source. */
const isSame = (one: Placed, other: Placed): boolean =>
	one.id !== null && other.id !== null
		? one.id === other.id
		: one.cell.kind === other.cell.kind && one.cell.source === other.cell.source;

/**
 * Pairs the cells that were removed and added at the same position. Only cells of the same kind
 * form a pair, and only if at least one of them has no id.
 */
const inPlace = (removed: readonly Placed[], added: readonly Placed[]): readonly Pair[] => {
	const pairs: Pair[] = [];
	const left = [...added];
	for (const before of removed) {
		const hasPair =
			left[0] !== undefined &&
			(before.id === null || left[0].id === null) &&
			left[0].cell.kind === before.cell.kind;
		pairs.push({before, after: hasPair ? (left.shift() ?? null) : null});
	}
	return [...pairs, ...left.map(after => ({before: null, after}))];
};

const pairsOf = (before: readonly Placed[], after: readonly Placed[]): readonly Pair[] => {
	const parts = diffArrays([...before], [...after], {comparator: isSame});
	const pairs: Pair[] = [];
	let [from, to] = [0, 0];
	let removed: readonly Placed[] = [];
	const flush = (added: readonly Placed[]): void => {
		pairs.push(...inPlace(removed, added));
		removed = [];
	};
	for (const part of parts) {
		if (part.removed) {
			removed = before.slice(from, (from += part.count));
			continue;
		}
		const there = after.slice(to, (to += part.count));
		flush(part.added ? there : []);
		if (part.added) continue;
		for (const [index, each] of there.entries())
			pairs.push({before: before[from + index] ?? null, after: each});
		from += part.count;
	}
	flush([]);
	return withMoves(pairs);
};

/** Marks a cell that was removed at one position and added at another as moved. */
const withMoves = (pairs: readonly Pair[]): readonly Pair[] => {
	const gone = new Set(pairs.filter(({after}) => after === null));
	const moved = pairs.map((pair): Pair => {
		const {before, after} = pair;
		if (before !== null || after === null) return pair;
		const from = [...gone].find(each => each.before !== null && isSame(each.before, after));
		if (from === undefined) return pair;
		gone.delete(from);
		return {before: from.before, after, isMoved: true};
	});
	return moved.filter(pair => pair.after !== null || gone.has(pair));
};

const note = (text: string): DiffLine => ({kind: 'note', text});
const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`;
const areEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Outputs without their execution count: a new count alone is not a change. */
const withoutCount = (outputs: readonly Fields[]): readonly Fields[] =>
	outputs.map(output => ({...output, execution_count: null}));

const SHOWN: ReadonlySet<string> = new Set(['source', 'outputs', 'execution_count', 'cell_type', 'id']);
const restOf = (fields: Fields): Fields =>
	Object.fromEntries(
		Object.entries(fields)
			.filter(([name]) => !SHOWN.has(name))
			.sort(([one], [other]) => (one < other ? -1 : 1)),
	);

/** Changed lines of a cell's source. Omits the position line before the first change. */
const sourceLines = (before: string, after: string): readonly DiffLine[] =>
	before === after
		? []
		: diffLines(before, after)
				.filter(({kind}, index) => kind !== 'at' || index > 0)
				.map(line => (line.kind === 'at' ? note(`… ${line.text}`) : line))
				.filter(({text}) => text !== 'no newline at the end');

const whole = (source: string, kind: 'added' | 'removed'): readonly DiffLine[] =>
	source.split('\n').map(text => ({kind, text}));

const changesOf = (before: Placed, after: Placed): readonly DiffLine[] => {
	const [one, other] = [before.cell, after.cell];
	const lines = [...sourceLines(one.source, other.source)];
	if (one.kind !== other.kind) lines.push(note(`${one.kind} before, ${other.kind} after`));
	if (!areEqual(withoutCount(one.outputs), withoutCount(other.outputs)))
		lines.push(
			note(
				other.outputs.length === 0
					? `outputs cleared (${one.outputs.length} before)`
					: `outputs changed: ${one.outputs.length} before, ${other.outputs.length} after`,
			),
		);
	else if (one.count !== other.count)
		lines.push(
			note(`execution count changed: ${one.count ?? 'none'} before, ${other.count ?? 'none'} after`),
		);
	if (!areEqual(restOf(before.fields), restOf(after.fields))) lines.push(note('cell metadata changed'));
	return lines;
};

const linesOf = ({before, after, isMoved}: Pair): readonly DiffLine[] => {
	const at = (where: Placed, words: string): DiffLine => ({
		kind: 'at',
		text: `cell ${where.number}, ${where.cell.kind}${words}`,
	});
	if (after === null) return [at(before, ', deleted'), ...whole(before.cell.source, 'removed')];
	if (before === null)
		return [
			at(after, ', new'),
			...whole(after.cell.source, 'added'),
			...(after.cell.outputs.length === 0
				? []
				: [note(`with ${count(after.cell.outputs.length, 'output')}`)]),
		];
	const changes = before.cell.text === after.cell.text ? [] : changesOf(before, after);
	if (isMoved) return [at(after, `, moved: it was cell ${before.number}`), ...changes];
	return changes.length === 0 ? [] : [at(after, ''), ...changes];
};

/** Parts of a notebook other than its cells, as JSON lines. */
const restLines = ({head, tail}: Notebook): string =>
	JSON.stringify(
		pythonJsonIn(`${head.replace(/^\uFEFF/, '')}${tail}`),
		(name, value: unknown) => (name === 'cells' ? undefined : value),
		1,
	) ?? '';

/**
 * Lines that describe the changed cells and their outputs. Null if either text is not a notebook.
 */
export const cellDiff = (before: string, after: string): readonly DiffLine[] | null => {
	if (before === after) return diffLines(before, after);
	const [one, other] = [readNotebook(before), readNotebook(after)];
	if (typeof one === 'string' || typeof other === 'string') return null;
	// Skips cells with the same text at the start and at the end, as most cells are unchanged.
	const texts = [one.cells, other.cells] as const;
	const least = Math.min(one.cells.length, other.cells.length);
	let first = 0;
	while (first < least && texts[0][first]?.text === texts[1][first]?.text) first++;
	let last = 0;
	while (last < least - first && texts[0].at(-1 - last)?.text === texts[1].at(-1 - last)?.text) last++;
	const middle = (cells: readonly NotebookCell[]): readonly Placed[] =>
		cells.slice(first, cells.length - last).map((cell, index) => placed(cell, first + index));
	const lines = pairsOf(middle(one.cells), middle(other.cells)).flatMap(linesOf);
	const [rest, otherRest] = [restLines(one), restLines(other)];
	const about =
		rest === otherRest
			? []
			: [
					{kind: 'at', text: 'notebook metadata'} as const,
					...diffLines(rest, otherRest).filter(({kind}) => kind === 'added' || kind === 'removed'),
				];
	return lines.length + about.length === 0
		? [note('Cells are identical; only the formatting of the file differs.')]
		: [...about, ...lines];
};
