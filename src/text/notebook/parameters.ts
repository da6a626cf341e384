// Notebook parameters by papermill's rules: a cell tagged `parameters` assigns the defaults, and a
// cell inserted after it assigns the given values. Only Python is supported.
import type {Notebook} from './notebook.ts';
import {tagsOf} from './tags.ts';
import {insertCells, withoutCell} from './edit.ts';

const INJECTED = 'injected-parameters';

const INT = /^[+-]?\d+(?:_\d+)*$/;
const FLOAT = /^[+-]?(?:\d+(?:_\d+)*(?:\.(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)(?:e[+-]?\d+(?:_\d+)*)?$/i;
const NO_NUMBER = /^([+-]?)(?:(inf)(?:inity)?|nan)$/i;

/**
 * Finite number as Python's `repr` writes it, which uses an exponent below 1e-4 and from 1e16 on.
 */
const floatText = (value: number): string => {
	const [mantissa = '', power = '0'] = Math.abs(value).toExponential().split('e');
	const digits = mantissa.replace('.', '');
	const exponent = Number(power);
	const sign = value < 0 || Object.is(value, -0) ? '-' : '';
	if (exponent >= 16 || exponent < -4)
		return `${sign}${mantissa}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
	if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
	return `${sign}${digits.slice(0, exponent + 1).padEnd(exponent + 1, '0')}.${digits.slice(exponent + 1) || '0'}`;
};

const escaped = (character: string): string => {
	const code = character.codePointAt(0) ?? 0;
	const hex = (length: number): string => code.toString(16).padStart(length, '0');
	if (code <= 0xff) return `\\x${hex(2)}`;
	return code <= 0xffff ? `\\u${hex(4)}` : `\\U${hex(8)}`;
};
const ESCAPES: Readonly<Record<string, string>> = {
	'\\': '\\\\',
	'"': '\\"',
	'\t': '\\t',
	'\n': '\\n',
	'\r': '\\r',
};

/** Python string literal for a text. Contains only ASCII. */
export const stringText = (text: string): string =>
	`"${text.replaceAll(/["\\]|[^\u0020-\u007e]/gu, found => ESCAPES[found] ?? escaped(found))}"`;

/**
 * Python code for a value typed by the user: True, False or None, a number that int() or float()
 * would accept, or else a string.
 */
export const valueText = (typed: string): string => {
	if (['True', 'False', 'None'].includes(typed)) return typed;
	const number = typed.trim();
	if (INT.test(number)) return String(BigInt(number.replace(/^\+/, '').replaceAll('_', '')));
	const [, sign = '', infinite] = NO_NUMBER.exec(number) ?? [null];
	if (NO_NUMBER.test(number))
		return infinite === undefined ? "float('nan')" : `float('${sign === '-' ? '-' : ''}inf')`;
	if (!FLOAT.test(number)) return stringText(typed);
	const value = Number(number.replaceAll('_', ''));
	return Number.isFinite(value) ? floatText(value) : `float('${value < 0 ? '-' : ''}inf')`;
};

/**
 * Inserts a cell that assigns the given values, which are Python code. Replaces such a cell from an
 * earlier call, or else comes after the cell tagged `parameters`, or else first.
 */
export const withParameters = (notebook: Notebook, values: ReadonlyMap<string, string>): Notebook => {
	const {cells} = notebook;
	const old = cells.find(cell => tagsOf(cell).includes(INJECTED));
	const at = old ? cells.indexOf(old) : cells.findIndex(cell => tagsOf(cell).includes('parameters')) + 1;
	const lines = [...values].map(([name, value]) => `${name} = ${value}\n`);
	return insertCells(old ? withoutCell(notebook, old.key) : notebook, at, [
		{kind: 'code', source: `# Parameters\n${lines.join('')}`, metadata: {tags: [INJECTED]}},
	]).notebook;
};

const NAME = '[\\p{XID_Start}_]\\p{XID_Continue}*';
/** Left side of an assignment: `a`, `a: int`, `a, b`. */
const TARGETS = new RegExp(`^[ \\t]*(${NAME}(?:[ \\t]*,[ \\t]*${NAME})*)[ \\t]*(?::[^=]*)?=(?!=)`, 'u');

/**
 * Names that Python code assigns. Ignores lines that end with a comma, because they are arguments
 * of a call.
 */
const assignedIn = (source: string): readonly string[] =>
	source.split(/\n|;/).flatMap(line => {
		const names: string[] = [];
		let rest = line.trimEnd().endsWith(',') ? '' : line;
		for (let found = TARGETS.exec(rest); found; found = TARGETS.exec(rest)) {
			names.push(...(found[1] ?? '').split(',').map(name => name.trim()));
			rest = rest.slice(found[0].length);
		}
		return names;
	});

/**
 * Names assigned by the cell tagged `parameters`. If there is no such cell, `isDeclared` is false
 * and all names assigned in the notebook are returned, since any may be a parameter.
 */
export const parameterNames = ({
	cells,
}: Notebook): {readonly isDeclared: boolean; readonly names: readonly string[]} => {
	const declared = cells.find(cell => cell.kind === 'code' && tagsOf(cell).includes('parameters'));
	if (declared !== undefined) return {isDeclared: true, names: [...new Set(assignedIn(declared.source))]};
	const words = cells
		.filter(cell => cell.kind === 'code')
		.flatMap(({source}) => source.match(new RegExp(NAME, 'gu')) ?? []);
	return {isDeclared: false, names: [...new Set(words)]};
};
