import {fieldsOf} from '../../text/record.ts';

const MOST = 1000;
const MOST_BYTES = 4 << 20;

type Line = readonly [session: number, line: number, input: string];

/** The cells of one kernel, as `history_request` asks for them; those of its earlier lives are not kept. */
export type History = {
	add(line: number, input: string): void;
	answer(content: Readonly<Record<string, unknown>>): readonly (readonly [number, number, unknown])[];
	clear(): void;
};

const number = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise);

/** A pattern of the shell, as history is searched with: `*` and `?`. */
const globOf = (pattern: string): RegExp =>
	new RegExp(
		`^${pattern
			.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
			.replaceAll(/\*+/g, '[^]*?')
			.replaceAll('?', '[^]')}$`,
	);

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
			const most = Math.max(0, number(content['n'], 10));
			const found = ((): readonly Line[] => {
				if (access === 'range') {
					const start = number(content['start'], 1);
					const stop = number(content['stop'], Infinity);
					return lines.filter(([, line]) => line >= start && line < stop);
				}
				const glob = access === 'search' && typeof pattern === 'string' ? globOf(pattern) : null;
				const fitting = glob ? lines.filter(([, , input]) => glob.test(input)) : lines;
				const once =
					unique === true
						? fitting.filter(
								([, , input], index) => fitting.findLastIndex(each => each[2] === input) === index,
							)
						: fitting;
				return most === 0 ? [] : once.slice(-most);
			})();
			return found.map(([session, line, input]) => [session, line, output === true ? [input, null] : input]);
		},
		clear() {
			lines = [];
			bytes = 0;
		},
	};
};
