import {stripVTControlCharacters} from 'node:util';

/**
 * Frame of a traceback. `line` counts from 1. `file`: a path, `<cell 3>` or `Cell In[3]`. `where`:
 * the function, or null.
 */
export type Frame = {readonly file: string; readonly line: number; readonly where: string | null};

const FORMS = [
	/^\s*File "([^"]+)", line (\d+)(?:, in (.+))?/,
	/^\s*(Cell In ?\[\d+\]|Input In \[\d+\]), line (\d+)(?:, in (.+?)(?:\(|$))?/,
	/^\s*File ([^\s"][^\n]*?):(\d+)(?:, in (.+?)(?:\(|$))?/,
];

const plain = (traceback: readonly string[]): readonly string[] =>
	traceback.flatMap(part => stripVTControlCharacters(part).split('\n'));

/** Frames of a traceback in the format of Python or IPython, outermost first. */
export const framesOf = (traceback: readonly string[]): readonly Frame[] =>
	plain(traceback).flatMap(line => {
		for (const form of FORMS) {
			const [, file, number, where] = form.exec(line) ?? [];
			if (file !== undefined) return [{file, line: Number(number), where: where ?? null}];
		}
		return [];
	});

export const isCell = (frame: Frame): boolean => /^<.*>$|^(Cell|Input) In/.test(frame.file);

const LAST = /^([A-Za-z_][\w.]*)(?:: (.*))?$/;

/**
 * Qualified name of the exception in the last line of a traceback, such as
 * `json.decoder.JSONDecodeError`.
 */
export const fullName = (traceback: readonly string[], ename: string): string => {
	const found = plain(traceback)
		.map(line => LAST.exec(line)?.[1])
		.findLast(name => name === ename || name?.endsWith(`.${ename}`));
	return found ?? ename;
};

/** Error that a traceback in a text describes. Null if the text contains no traceback. */
export const errorInText = (
	text: string,
): {readonly ename: string; readonly evalue: string; readonly traceback: readonly string[]} | null => {
	const lines = plain([text]);
	const from = lines.findLastIndex(line => /^\s*Traceback \(most recent call last\)|^-{20,}$/.test(line));
	if (from === -1) return null;
	const last = lines
		.slice(from + 1)
		.map(line => LAST.exec(line))
		.findLast(match => match !== null);
	const [, name, evalue = ''] = last ?? [];
	return name === undefined
		? null
		: {ename: name.split('.').at(-1) ?? name, evalue, traceback: lines.slice(from)};
};
