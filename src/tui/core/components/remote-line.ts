// Texts about data that is loading, old or missing, the same on every screen, pane and picker. The
// right end of the title shows the age of the rows. The request in progress or the failure is shown
// instead of rows, or below old rows. A failure comes with its remedy, the time of the next try,
// and the key for details.
import {explainFailure, type Failure, type Remote} from '../store/remote.ts';
import type {RequestEntry} from '../store/requests.ts';
import type {Connection} from '../store/session.ts';
import {keyFor} from '../keys/live-keys.ts';
import {label} from '../../../text/safe.ts';
import {cellWidth, cut} from '../../../text/width/width.ts';
import {wrap} from '../../../text/width/wrap.ts';
import {glyph} from '../theme/glyphs.ts';
import {paint} from '../theme/theme.ts';
import {ageText, clockText, durationText, leftText, oldText, secondsText} from './age.ts';
import {callDetailsHint, keyHint} from './key-hint.ts';

/** True if the latest response was a failure. */
export const isFailing = ({failure}: Remote<unknown>): boolean => failure !== undefined;

/**
 * Age of rows for the right end of a title; empty without rows. It is a warning if the rows could
 * not be reloaded, or come from an earlier run of the program (`isOld`).
 */
export const freshness = (remote: Remote<unknown>, now: number, isOld = false): string => {
	if (remote.value === undefined || remote.at === undefined) return '';
	return isOld || isFailing(remote)
		? paint('busy', oldText(remote.at, now))
		: paint('dim', ageText(remote.at, now));
};

/** Text about the request in progress. */
export const asking = (whom = 'the service', what = ''): string =>
	`asking ${whom}${what === '' ? '' : ` ${what}`} …`;

const INDENT = 3;

type Said = {readonly what: string; readonly next: string; readonly mark: string};
const rowsOf = (lines: readonly string[], width: number): readonly string[] =>
	lines.flatMap(line => (line === '' ? [] : wrap(`${' '.repeat(INDENT)}${line}`, width - 1, {hang: INDENT})));

/**
 * The sentences and key hints as rows. If that takes more than `most` rows, only the first sentence
 * and the key hints, cut to a row each.
 */
const sentences = (
	{what, next, mark}: Said,
	keys: string,
	short: string,
	width: number,
	most: number,
): readonly string[] => {
	const words = paint('bad', label(what, 400));
	const said = wrap(` ${mark} ${words}`, width - 1, {hang: INDENT});
	const whole = [...said, ...rowsOf([label(next, 400), keys], width)];
	return whole.length <= most
		? whole
		: [cut(` ${mark} ${words}`, width - 1), cut(`${' '.repeat(INDENT)}${short}`, width - 1)];
};

/** Text size and current time. Without `now`, the text is not redrawn, so it has clock times. */
type Place = {
	readonly width: number;
	readonly now?: number;
	/** Largest number of rows; at least two are used. */
	readonly most?: number;
};

const nextTry = (again: number | undefined, now: number | undefined): string =>
	again === undefined
		? ''
		: now === undefined
			? `Next try at ${clockText(again)}`
			: `Next try in ${leftText(again, now)}`;

const joined = (parts: readonly string[]): string => parts.filter(part => part !== '').join('   ');

/** Rows about a failure, below the list or instead of it; empty without a failure. */
export const failureBelowRows = (
	remote: Remote<unknown>,
	connection: Connection,
	{width, now, most = Infinity}: Place,
): readonly string[] => {
	const {failure, again, status, since} = remote;
	const retry = keyHint('global.refresh', 'now');
	const mark = remote.value === undefined ? paint('bad', glyph.no) : paint('busy', '!');
	if (connection.status === 'failed') return sentences({...connection, mark}, retry, retry, width, most);
	if (failure === undefined) return [];
	const call = keyHint('global.evidence', failure.status === undefined ? 'the call' : 'call and answer');
	const waits = status === 'loading' ? [waitText('Trying again', since, now)] : [nextTry(again, now), retry];
	const keys = joined([...waits, call]);
	const short = joined([status === 'loading' ? waits.join('') : retry, call]);
	const others = joined([keys, keyHint('global.profiles', 'another service')]);
	const isWide = cellWidth(others) + INDENT < width;
	return sentences({...explainFailure(failure), mark}, isWide ? others : keys, short, width, most);
};

/** Duration of a wait, in ms, after which the usual duration and the keys are shown. */
const LONG_WAIT = 3000;

/** Text about a wait, with its duration after the first second. */
const waitText = (what: string, since: number | undefined, now: number | undefined): string => {
	const elapsed = since === undefined || now === undefined ? 0 : now - since;
	const words = `${paint('busy', glyph.starting)} ${what}`;
	return elapsed < 1000 ? words : `${words}   ${secondsText(elapsed)}`;
};

/** Data for the text about the wait for the first response. */
export type Wait = {
	/** Noun for the rows. */
	readonly what: string;
	/** Name of the service; empty if it is the local one. */
	readonly host?: string;
	/** Median duration of earlier responses, in ms; undefined if none is known. */
	readonly usual?: number | undefined;
	/** Hint on keys of other screens, which work during the wait. */
	readonly meanwhile?: string;
};

/** Median duration of the successful reads so far, in ms; undefined without any. */
export const usualTime = (requests: readonly RequestEntry[]): number | undefined => {
	const took = requests
		.flatMap(each =>
			each.took !== null && each.problem === undefined && each.method === 'GET' ? [each.took] : [],
		)
		.sort((a, b) => a - b);
	return took[took.length >> 1];
};

const waitRows = (
	{since}: Remote<unknown>,
	connection: Connection,
	{what, host = '', usual, meanwhile = ''}: Wait,
	{width, now}: Place,
): readonly string[] => {
	const isConnecting = connection.status === 'connecting';
	const doing = isConnecting
		? connection.doing.replace(/^./, first => first.toUpperCase())
		: `Loading ${what}${host === '' ? '' : ` from ${label(host, 60)}`}`;
	const first = wrap(`${' '.repeat(INDENT)}${waitText(doing, since, now)}`, width - 1, {hang: INDENT});
	if (since === undefined || now === undefined || now - since < LONG_WAIT) return first;
	const known = usual === undefined ? '' : `Other answers took ${durationText(usual)}.`;
	const keys = isConnecting
		? [meanwhile]
		: [keyHint('always.interrupt', 'stop'), keyHint('global.evidence', 'the call'), meanwhile];
	const rest = joined([known, ...keys]);
	return rest === '' ? first : [...first, '', ...rowsOf([rest], width)];
};

/**
 * Lines shown instead of rows: the request in progress, the failure and its remedy, or `empty` if
 * the response had no rows.
 */
export const emptyStateRows = (
	remote: Remote<unknown>,
	connection: Connection,
	{empty = '', ...of}: Wait & Place & {readonly empty?: string},
): readonly string[] => {
	const wrong = failureBelowRows(remote, connection, of);
	if (wrong.length > 0) return wrong;
	return remote.value === undefined
		? waitRows(remote, connection, of, of)
		: wrap(`${' '.repeat(INDENT)}${empty}`, of.width - 1, {hang: INDENT}).map(row => paint('dim', row));
};

/** A failure in a dialog box: its text, and the key for its details. */
export const failureInBox = (failure: Failure, width: number): readonly string[] => {
	const {what, next} = explainFailure(failure);
	return [
		...wrap(label(`${what} ${next}`, 800), width).map(row => paint('bad', row)),
		callDetailsHint(failure, 'always.evidence'),
	];
};

/** Reason why a picker has no choices. */
export const emptyPicker = (remote: Remote<unknown>, empty: string): string =>
	remote.value !== undefined
		? empty
		: remote.failure === undefined
			? asking()
			: `${explainFailure(remote.failure).what} ${keyFor('always.evidence')} shows ${remote.failure.status === undefined ? 'the request' : 'the response'}.`;

/** Text for a response without rows: `empty`, unless there are unreadable rows. */
export const emptyOf = (
	remote: Remote<{readonly unreadable: number}>,
	noun: string,
	empty: string,
): string => {
	const unreadable = remote.value?.unreadable ?? 0;
	if (unreadable === 0) return empty;
	return `${unreadable === 1 ? 'Its one entry' : `None of its ${unreadable} entries`} could ${unreadable === 1 ? 'not ' : ''}be read: svc-tui ${noun} --json shows ${unreadable === 1 ? 'it' : 'them'}.`;
};
