// Row conditions as text: `price>3`, `name=Oslo`, `~words`.
import {numberFinder} from './find-number.ts';
import {LONG, MISSING, readColumn, STEP} from './read-column.ts';
import {numberIn, numberParts} from './reading.ts';
import type {Table} from './table.ts';
import {exactOrder, numberOf} from './values.ts';
import type {Work} from './work.ts';

const OPERATORS = ['!=', '<=', '>=', '==', '=', '<', '>', '~'] as const;
type Operator = '!=' | '<=' | '>=' | '=' | '<' | '>' | '~';

/** Condition on the fields of a row. `column`: null for any column. Operator `~`: contains. */
export type Where = {readonly column: number | null; readonly operator: Operator; readonly value: string};

/**
 * Index of the column with a name. Falls back to a name that differs only in letter case. -1 if
 * there is none.
 */
export const columnNamed = (names: readonly string[], typed: string): number => {
	const exact = names.indexOf(typed);
	return exact === -1 ? names.findIndex(name => name.toLowerCase() === typed.toLowerCase()) : exact;
};

const operatorIn = (text: string): (typeof OPERATORS)[number] | undefined =>
	OPERATORS.find(each => text.startsWith(each));
const whereOf = (column: number, text: string): Where | null => {
	const rest = text.trimStart();
	const operator = operatorIn(rest);
	return operator === undefined
		? null
		: {column, operator: operator === '==' ? '=' : operator, value: rest.slice(operator.length).trim()};
};

/**
 * Parses a row condition. A text without an operator matches rows in which any field contains it.
 * `unknown`: the name before the operator if there is no such column.
 */
export const parseWhere = (typed: string, names: readonly string[]): Where | {readonly unknown: string} => {
	const text = typed.trim();
	// Tries longer names first, because a name may contain an operator.
	for (const name of names.toSorted((one, other) => other.length - one.length)) {
		if (name === '' || !text.toLowerCase().startsWith(name.toLowerCase())) continue;
		const found = whereOf(columnNamed(names, text.slice(0, name.length)), text.slice(name.length));
		if (found !== null) return found;
	}
	const at = text.search(/!=|[<>=~]/);
	if (at === -1) return {column: null, operator: '~', value: text};
	if (at === 0 && text.startsWith('~')) return {column: null, operator: '~', value: text.slice(1).trim()};
	return {unknown: text.slice(0, at).trim()};
};

/**
 * Tests whether a text contains the words. Case-sensitive only if the words contain a capital
 * letter.
 */
const holds = (words: string): ((text: string) => boolean) =>
	words === words.toLowerCase() ? text => text.toLowerCase().includes(words) : text => text.includes(words);

/**
 * True if the result of a comparison satisfies the operator. `order`: negative if less than the
 * value.
 */
const passes = (operator: Operator, order: number): boolean => {
	switch (operator) {
		case '=':
			return order === 0;
		case '!=':
			return order !== 0;
		case '<':
			return order < 0;
		case '<=':
			return order <= 0;
		case '>':
			return order > 0;
		default:
			return order >= 0;
	}
};

const textOrder = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

type Test = (row: number) => boolean;

function* testOf(table: Table, {column, operator, value}: Where): Work<Test> {
	if (column === null) {
		const isIn = holds(value);
		const number = numberFinder(table, value);
		return row => table.row(row).some((field, at) => isIn(field) || number?.holds(field, at) === true);
	}
	const cell = (row: number): string => table.cell(row, column);
	if (operator === '~') {
		const isIn = holds(value);
		return row => isIn(cell(row));
	}
	const {reading, numbers, kinds} = yield* readColumn(table, column);
	const isMissing = (row: number): boolean => ((kinds[row] ?? 0) & MISSING) !== 0;
	const otherwise = operator === '!=';
	if (value === '') return row => isMissing(row) !== otherwise;
	const wanted = numberIn(value, reading) ?? (reading.kind === 'dates' ? undefined : numberOf(value));
	if (reading.kind === 'text' || wanted === undefined)
		return row => (isMissing(row) ? otherwise : passes(operator, textOrder(cell(row), value)));
	const exact = reading.kind === 'numbers' ? numberParts(value, reading) : null;
	return row => {
		const number = numbers[row] ?? Number.NaN;
		if (Number.isNaN(number)) return otherwise;
		if (number !== wanted) return passes(operator, number < wanted ? -1 : 1);
		const parts =
			reading.kind !== 'numbers' || ((kinds[row] ?? 0) & LONG) === 0 ? null : numberParts(cell(row), reading);
		return passes(operator, parts && exact ? exactOrder(parts.plain, exact.plain) : 0);
	};
}

/** Rows that satisfy all conditions. A missing value equals only the empty value. */
export function* rowsWhere(table: Table, all: readonly Where[]): Work<Uint32Array> {
	const tests: Test[] = [];
	for (const each of all) tests.push(yield* testOf(table, each));
	const found = new Uint32Array(table.count);
	let count = 0;
	for (let at = 0; at < table.count; at++) {
		if (tests.every(test => test(at))) found[count++] = at;
		if (at % STEP === STEP - 1) yield at / table.count;
	}
	return found.slice(0, count);
}
