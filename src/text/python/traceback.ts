import {withoutColours} from '../width/width.ts';

/** Code location of a traceback frame. Lines count from 1. Null means unknown. */
export type Frame = {
	/** Path as in the traceback. Null for a cell. */
	readonly path: string | null;
	/** Execution count of the cell. Null for a file, and for a cell without a count. */
	readonly cell: number | null;
	readonly line: number | null;
	/** Source of the line. Empty if the traceback does not show it. */
	readonly code: string;
	/** Package or standard library module that contains the code. Null for the user's own code. */
	readonly library: string | null;
};

/** Consecutive lines of a traceback: a frame with its code, or other text. */
export type TracebackPart = {
	readonly frame: Frame | null;
	/** Original lines, including colours. */
	readonly lines: readonly string[];
};

/** Maximum length of a frame's header line, in UTF-16 units. */
const LONGEST_HEAD = 2000;

type Head = {readonly file: string; readonly cell: string | undefined; readonly line: string | undefined};
/**
 * Header lines of frames. First Python's own, with the margin of an exception group. Then
 * IPython's: 8.6 and later, 8.5, 8.0, files, 7.
 */
const HEADS: readonly RegExp[] = [
	/^[ |]*File "(?<file>[^"]+)", line (?<line>\d{1,9})(?!\d)/,
	/^ *Cell In ?\[(?<cell>\d{1,9})\](?:, line (?<line>\d{1,9}))?/,
	/^ *Input In \[(?<cell>\d{1,9})\](?:, in <cell line: (?<line>\d{1,9})>)?/,
	/^ *File (?<file>[^"\s][^:]*(?::[^:]+){0,2}?):(?<line>\d{1,9})(?=,? in |$)/,
	/^(?<file><ipython-input-\d{1,9}-\w+>|(?:~|\/|[A-Za-z]:\\)[^:]*\.\w{1,4}) in (?:<module>|[\w.<>]+\(.*\))$/,
];

const headIn = (line: string): Head | null => {
	if (line.length > LONGEST_HEAD) return null;
	for (const pattern of HEADS) {
		const groups = pattern.exec(line)?.groups;
		if (groups) return {file: groups['file'] ?? '', cell: groups['cell'], line: groups['line']};
	}
	return null;
};

/** File names that IPython, ipykernel and the embedded engine give to cells. */
const CELL = /^<cell (?:(\d{1,9})|\w+)>$|^<ipython-input-(\d{1,9})-\w+>$|[/\\]ipykernel_\d+[/\\]\d+\.py$/;

const INSTALLED = /[/\\](?:site|dist)-packages[/\\]([^/\\]+)/;
const OF_PYTHON = [
	/(?:^|[/\\])(?:lib(?:64)?[/\\](?:python|pypy)[\d.]+t?|python\d+\.zip)[/\\]([^/\\]+)/,
	/[/\\]Python\d+[/\\]lib[/\\]([^/\\]+)/i,
	/^<frozen ([\w.]+)>$/,
];
/** Source path in compiled code, relative to the package's parent folder. */
const COMPILED = /^(?!\/)(\w+)[/\\].*\.p(?:yx|xi|xd)$/;
const GENERATED: Readonly<Record<string, string>> = {'<__array_function__ internals>': 'numpy'};

/** Package or standard library module that a path is in. Null for other code. */
export const libraryOf = (path: string): string | null => {
	const installed = INSTALLED.exec(path) ?? COMPILED.exec(path);
	const found = installed ?? OF_PYTHON.map(pattern => pattern.exec(path)).find(match => match !== null);
	const name = found?.[1]?.replace(/\.\w+$/, '') ?? GENERATED[path];
	return name === undefined || name === '' ? null : name;
};

/** Line that IPython marks with an arrow, among the numbered lines below a frame's header. */
const ARROW = /^-+> ?(\d{1,9}) ?(.*)$/;
const ALIKE = /^[ |]*\[(?:Previous line repeated|\.\.\. skipping similar frames)/;

const frameOf = ({file, cell, line}: Head, body: readonly string[]): Frame => {
	const arrow = body.map(each => ARROW.exec(each)).find(match => match !== null);
	const named = CELL.exec(file);
	const count = cell ?? named?.[1] ?? named?.[2];
	const isCell = cell !== undefined || named !== null;
	const at = line ?? arrow?.[1];
	const below = body.find(each => !/^[ |]*$/.test(each)) ?? '';
	return {
		path: isCell ? null : file,
		cell: count === undefined ? null : Number(count),
		line: at === undefined ? null : Number(at),
		code: (arrow?.[2] ?? below.replace(/^[ |]+/, '')).trim(),
		library: isCell ? null : libraryOf(file),
	};
};

const marginOf = (line: string): number => /^[ |]*/.exec(line)?.[0].length ?? 0;
const isBlank = (line: string | undefined): boolean => line?.trim() === '';

/**
 * Index after a frame whose header is at `start`. Includes the frame's code and the blank line
 * after it.
 */
const endOfFrame = (plain: readonly string[], start: number): number => {
	const margin = marginOf(plain[start] ?? '');
	let at = start + 1;
	for (let line = plain[at]; line !== undefined; line = plain[++at]) {
		const isCode = marginOf(line) > margin || /^-+>/.test(line);
		if (!isCode || headIn(line) !== null) break;
	}
	while (isBlank(plain[at])) at++;
	if (!ALIKE.test(plain[at] ?? '')) return at;
	do at++;
	while (isBlank(plain[at]));
	return at;
};

/**
 * Splits a traceback of Python or IPython into frames and the text between them: headers, errors,
 * notes, sentences between chained exceptions, the numbers in an exception group.
 */
export const tracebackParts = (text: string): readonly TracebackPart[] => {
	const lines = text.split('\n');
	const plain = lines.map(withoutColours);
	const parts: TracebackPart[] = [];
	let other: string[] = [];
	for (let at = 0; at < lines.length;) {
		const head = headIn(plain[at] ?? '');
		if (head === null) {
			other.push(lines[at++] ?? '');
			continue;
		}
		const end = endOfFrame(plain, at);
		if (other.length > 0) parts.push({frame: null, lines: other});
		other = [];
		parts.push({frame: frameOf(head, plain.slice(at + 1, end)), lines: lines.slice(at, end)});
		at = end;
	}
	return other.length > 0 ? [...parts, {frame: null, lines: other}] : parts;
};

/** True if a frame's code is in a cell or file. False if its code was a string passed to exec(). */
const hasPlace = ({path, line}: Frame): boolean => line !== null && path?.startsWith('<') !== true;

/**
 * Frames with a known location, without duplicates. Starts with the innermost frame of the last
 * error. Library frames come last.
 */
export const framesIn = (text: string): readonly Frame[] => {
	const found = new Map<string, Frame>();
	for (const {frame} of tracebackParts(text).toReversed()) {
		const id = frame && JSON.stringify([frame.path, frame.cell, frame.line]);
		if (frame && id !== null && hasPlace(frame) && !found.has(id)) found.set(id, frame);
	}
	const all = [...found.values()];
	return [...all.filter(frame => frame.library === null), ...all.filter(frame => frame.library !== null)];
};
