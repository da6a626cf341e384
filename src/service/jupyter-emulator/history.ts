import {globOf} from '../../text/glob.ts';
import {fieldsOf} from '../../text/record.ts';

const MOST = 1000;
const MOST_BYTES = 4 << 20;
/** Maximum length of a search pattern, in UTF-16 units. */
const LONGEST_PATTERN = 256;

type Line = readonly [session: number, line: number, input: string];

/** Cells that a kernel has run since its last start, for `history_request`. */
export type History = {
	add(line: number, input: string): void;
	answer(content: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
	clear(): void;
};

const number = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise);

const tooLong = {
	status: 'error',
	ename: 'ValueError',
	evalue: `A search pattern may have at most ${LONGEST_PATTERN} characters.`,
	traceback: [],
};

export const createHistory = (): History => {
	let lines: Line[] = [];
	let bytes = 0;
	return {
		add(line, input) {
			lines.push([0, line, input]);
			bytes += input.length;
			while (lines.length > MOST || bytes > MOST_BYTES) bytes -= lines.shift()?.[2].length ?? 0;
		},
		answer(content) {
			const {hist_access_type: access, pattern, output, unique} = fieldsOf(content);
			if (access === 'search' && typeof pattern === 'string' && pattern.length > LONGEST_PATTERN)
				return tooLong;
			const most = Math.max(0, number(content['n'], 10));
			const found = ((): readonly Line[] => {
				if (access === 'range') {
					const start = number(content['start'], 1);
					const stop = number(content['stop'], Infinity);
					return lines.filter(([, line]) => line >= start && line < stop);
				}
				const fits = access === 'search' && typeof pattern === 'string' ? globOf(pattern) : null;
				const fitting = fits ? lines.filter(([, , input]) => fits(input)) : lines;
				const last = new Map(fitting.map(line => [line[2], line]));
				const once = unique === true ? fitting.filter(line => last.get(line[2]) === line) : fitting;
				return most === 0 ? [] : once.slice(-most);
			})();
			return {
				status: 'ok',
				history: found.map(([session, line, input]) => [
					session,
					line,
					output === true ? [input, null] : input,
				]),
			};
		},
		clear() {
			lines = [];
			bytes = 0;
		},
	};
};
