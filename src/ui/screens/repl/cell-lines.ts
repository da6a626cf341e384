import type {CellOutput} from '../../../contract/cells.ts';
import type {Cell} from '../../../store/cells.ts';
import {explainFailure} from '../../../store/remote.ts';
import {pieces} from '../../../text/pieces.ts';
import {block, label, output} from '../../../text/safe.ts';
import {fit} from '../../../text/width.ts';
import {wrap} from '../../../text/wrap.ts';
import {durationText} from '../../components/age.ts';
import {paint, type Role} from '../../theme/theme.ts';

/** `text` is one string or, in nbformat on disk, a list of lines. */
const joined = (value: unknown): string => (Array.isArray(value) ? value.join('') : typeof value === 'string' ? value : '');

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value);

const outputText = (text: string, width: number, role?: Role): string[] => {
	const lines: string[] = [];
	for (const piece of pieces(text)) {
		const safe = output(piece).text.split('\n');
		if (safe.at(-1) === '') safe.pop();
		// A loop, not a spread: a hundred thousand arguments overflow the stack.
		for (const line of safe) for (const row of wrap(line, width - 2)) lines.push(` ${role && !row.includes('\u001B') ? paint(role, row) : row}`);
	}
	return lines;
};

const withPrompt = (prompt: string, role: Role, text: string, width: number): string[] =>
	text.split('\n').flatMap(line => wrap(line, width - prompt.length - 1))
		.map((row, index) => (index === 0 ? paint(role, prompt) : ' '.repeat(prompt.length)) + row);

const dataLines = (output: CellOutput, prompt: string, width: number): string[] => {
	const data = isRecord(output['data']) ? output['data'] : {};
	const plain = joined(data['text/plain']);
	const others = Object.keys(data).filter(type => type !== 'text/plain').map(type => label(type, 40));
	const lines = plain === '' ? [] : withPrompt(prompt, 'accent', block(plain), width);
	return others.length === 0 ? lines : [...lines, paint('dim', `${' '.repeat(prompt.length)}also as ${others.join(', ')}`)];
};

const errorLines = (output: CellOutput, width: number): string[] => {
	const traceback = Array.isArray(output['traceback']) ? output['traceback'].map(joined).join('\n') : '';
	const text = traceback === '' ? `${joined(output['ename'])}: ${joined(output['evalue'])}` : traceback;
	return outputText(text, width, 'bad');
};

const outputLines = (output: CellOutput, width: number): string[] => {
	switch (output.output_type) {
		case 'stream': return outputText(joined(output['text']), width, output['name'] === 'stderr' ? 'busy' : undefined);
		case 'execute_result': return dataLines(output, ` Out[${typeof output['execution_count'] === 'number' ? output['execution_count'] : ' '}]  `, width);
		case 'display_data': return dataLines(output, ' ', width);
		case 'error': return errorLines(output, width);
		default: return [paint('dim', ` output of the kind ${label(output.output_type, 40)}`)];
	}
};

const STATES = {
	queued: 'waits for the cell before it',
	running: '',
	detached: 'not waited for; a late answer still lands here',
	interrupted: 'interrupted',
	'gave-up': 'gave up; the server may still be running it',
	failed: '', done: '',
} as const;

const statusLine = (cell: Cell): string[] => {
	const words = STATES[cell.state];
	return words === '' ? [] : [paint('busy', ` ${words}`)];
};

const failureRows = (cell: Cell, width: number): string[] => {
	if (cell.failure === null) return [];
	const {what, next} = explainFailure(cell.failure);
	return [...wrap(label(what, 600), width - 2).map(line => paint('bad', ` ${line}`)), ...wrap(label(next, 600), width - 2).map(line => ` ${line}`)];
};

const sourceLines = (cell: Cell, width: number): string[] => {
	const count = cell.result?.execution_count ?? (cell.state === 'queued' || cell.state === 'running' || cell.state === 'detached' ? '*' : ' ');
	const took = cell.startedAt !== null && cell.endedAt !== null ? durationText(cell.endedAt - cell.startedAt) : '';
	const room = width - took.length - 3;
	const [first = '', ...others] = withPrompt(` In [${count}]  `, 'accent', block(cell.source), room);
	return [took === '' ? first : `${fit(first, room)}  ${paint('dim', took)} `, ...others];
};

const cache = new WeakMap<Cell, {readonly width: number; readonly lines: readonly string[]}>();

/** A cell as rows of at most `width` cells: prompt and source, outputs, state. A cell that does not change is laid out once per width. */
export const cellLines = (cell: Cell, width: number): readonly string[] => {
	const known = cache.get(cell);
	if (known?.width === width) return known.lines;
	const lines = sourceLines(cell, width);
	for (const output of cell.result?.outputs ?? []) for (const line of outputLines(output, width)) lines.push(line);
	lines.push(...failureRows(cell, width), ...statusLine(cell), '');
	cache.set(cell, {width, lines});
	return lines;
};
