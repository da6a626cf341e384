// The list of requests as rows: repeated requests folded to one row, columns aligned.
import {label} from '../../../text/safe.ts';
import {cellWidth, cut, fit, slice} from '../../../text/width/width.ts';
import {clockText, durationText, secondsText} from '../components/age.ts';
import type {RequestEntry} from '../store/requests.ts';
import {lastResult} from '../store/last-result.ts';
import {glyph} from '../theme/glyphs.ts';
import {paint} from '../theme/theme.ts';

/** A request, or the repetitions of the successful request in the row above; newest first. */
export type RequestGroup = readonly [RequestEntry, ...RequestEntry[]];

/** Fewest repetitions that are folded. Folding a single repetition would save no row. */
const FOLDED = 2;

const isPoll = ({method, took, problem}: RequestEntry): boolean =>
	method === 'GET' && took !== null && problem === undefined;
const isSame = (one: RequestEntry, other: RequestEntry): boolean =>
	isPoll(one) && isPoll(other) && one.path === other.path && one.status === other.status;

const groupsOf = (entries: readonly RequestEntry[]): readonly RequestGroup[] => {
	const groups: RequestGroup[] = [];
	let at = 0;
	while (at < entries.length) {
		const first = entries[at]!;
		let end = at + 1;
		while (end < entries.length && isSame(first, entries[end]!)) end++;
		const repeated = entries.slice(at + 1, end);
		groups.push([first]);
		const [next, ...others] = repeated;
		if (next !== undefined && repeated.length >= FOLDED) groups.push([next, ...others]);
		else for (const each of repeated) groups.push([each]);
		at = end;
	}
	return groups;
};

/** All requests, or only the failed ones, newest first. */
export const requestGroups = lastResult(
	(requests: readonly RequestEntry[], failedOnly: boolean): readonly RequestGroup[] =>
		groupsOf(requests.filter(({problem}) => !failedOnly || problem !== undefined).toReversed()),
);

const codeText = ({status, problem}: RequestEntry): string => String(status ?? problem ?? '');

const msText = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : durationText(ms));

/** Duration of a request, or the range of its repetitions. `now`: ms since the epoch. */
const tookText = (group: RequestGroup, now: number): string => {
	const [{took, startedAt}] = group;
	if (took === null) return secondsText(Math.max(0, now - startedAt));
	const all = group.map(each => Math.round(each.took ?? 0));
	const [least, most] = [Math.min(...all), Math.max(...all)];
	return least === most || most >= 1000 ? msText(most) : `${least}–${most} ms`;
};

const repeatedText = (group: RequestGroup): string => {
	if (group.length < 2) return '';
	const ms = ((group[0].startedAt - (group.at(-1)?.startedAt ?? 0)) / (group.length - 1)) | 0;
	return `${group.length} times, every ${ms < 1000 ? msText(ms) : secondsText(ms + 500)}`;
};

const CODE = 4;
/** Least width of a path beside the full text about its repetitions, in cells. */
const LEAST_PATH = 24;
const TOOK = 9;
/** Least width of a row with the column of durations, so that a narrow one keeps its path. */
const TOOK_FROM = 60;
const METHOD = 6;
/** Cells before the path: time, mark and method with two cells between them. */
const BEFORE = 8 + 2 + 1 + 2 + METHOD + 1;

type Cells = {readonly code: number; readonly took: number};

/** Widths of the last two columns for these rows. */
export const requestCells = (groups: readonly RequestGroup[], now: number): Cells => ({
	code: groups.reduce((most, [entry]) => Math.max(most, Math.min(14, codeText(entry).length)), CODE),
	took: groups.reduce((most, group) => Math.max(most, tookText(group, now).length), TOOK),
});

/** Path cut in the middle, because its ends are the most informative. */
const cutPath = (path: string, width: number): string => {
	const cells = cellWidth(path);
	if (cells <= width) return path;
	const head = Math.ceil((width - 1) / 2);
	return `${slice(path, 0, head)}…${slice(path, cells - (width - 1 - head), width - 1 - head)}`;
};

const right = (text: string, width: number): string => cut(text, width).padStart(width);

/** The last two columns, and the room for the path before them. */
const lastColumns = (
	width: number,
	{code, took}: Cells,
	texts: {readonly code: string; readonly took: string},
) => {
	const columns = width < TOOK_FROM ? texts.code : `${texts.code}  ${paint('dim', right(texts.took, took))}`;
	const cells = width < TOOK_FROM ? code : code + 2 + took;
	return {columns: `  ${columns}`, room: Math.max(8, width - BEFORE - cells - 2)};
};

export const requestHead = (width: number, cells: Cells): string => {
	const {columns, room} = lastColumns(width, cells, {code: right('Code', cells.code), took: 'Took'});
	return paint('dim', `${fit('Time', BEFORE)}${fit('Path', room)}${columns}`);
};

/** Row of a request. If it failed, mark and code have the colour of errors. */
export const requestRow = (group: RequestGroup, width: number, cells: Cells, now: number): string => {
	const [{method, path, problem, startedAt, took}] = group;
	const mark =
		took === null
			? paint('busy', glyph.starting)
			: problem === undefined
				? paint('good', glyph.yes)
				: paint('bad', glyph.no);
	const code = right(codeText(group[0]), cells.code);
	const {columns, room} = lastColumns(width, cells, {
		code: problem === undefined ? code : paint('bad', code),
		took: tookText(group, now),
	});
	const repeated = repeatedText(group);
	const text = room - repeated.length < LEAST_PATH ? (/^\d+ times/.exec(repeated)?.[0] ?? '') : repeated;
	const beside = text === '' ? '' : `   ${text}`;
	const shown = cutPath(label(path, 400), Math.max(1, room - beside.length));
	const time = group.length > 1 ? '' : clockText(startedAt);
	return `${paint('dim', fit(time, 8))}  ${mark}  ${fit(method, METHOD)} ${fit(shown + paint('dim', beside), room)}${columns}`;
};
