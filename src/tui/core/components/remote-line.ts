// Messages about data that is loading, old or missing: the same words in the same place on every
// screen, pane and picker. Right end of the title: the age of the rows. Instead of rows, or below
// old ones: the request in progress, or the failure with its remedy, the time of the next try, and
// the key for details.
import {explainFailure, type Failure, type Remote} from '../store/remote.ts';
import type {Connection} from '../store/session.ts';
import {keyFor} from '../keys/live-keys.ts';
import {label} from '../../../text/safe.ts';
import {cut} from '../../../text/width/width.ts';
import {wrap} from '../../../text/width/wrap.ts';
import {paint} from '../theme/theme.ts';
import {ageText, agoText, clockText} from './age.ts';
import {callDetailsHint} from './key-hint.ts';

/** True if the latest response was a failure. */
export const isFailing = ({failure}: Remote<unknown>): boolean => failure !== undefined;

const HOUR = 3_600_000;

/** For example `last known 09:29`; after an hour `last known 3 h ago`. */
const lastKnown = (at: number | undefined, now: number): string =>
	at === undefined ? '' : `last known ${now - at < HOUR ? clockText(at).slice(0, 5) : agoText(at, now)}`;

/**
 * Age of rows and whether they could be renewed, for the right end of a title; empty without rows.
 * `isOld`: the rows come from an earlier run of the program.
 */
export const freshness = (remote: Remote<unknown>, now: number, isOld = false): string => {
	if (remote.value === undefined) return '';
	const known = lastKnown(remote.at, now);
	if (remote.status !== 'failed' && (isOld || isFailing(remote))) return paint('busy', `asking, ${known}`);
	return isFailing(remote) ? paint('bad', `not renewed, ${known}`) : paint('dim', ageText(remote.at, now));
};

/** Text about the request in progress. */
export const asking = (whom = 'the service', what = ''): string =>
	`asking ${whom}${what === '' ? '' : ` ${what}`} …`;

const INDENT = 3;

type Said = {readonly what: string; readonly next: string};
const rowsOf = (lines: readonly string[], width: number): readonly string[] =>
	lines.flatMap(line => (line === '' ? [] : wrap(`${' '.repeat(INDENT)}${line}`, width - 1, {hang: INDENT})));

/**
 * The sentences and the keys as rows. If that takes more than `most` rows: only the first sentence
 * and the keys, cut to a row each.
 */
const sentences = (
	{what, next}: Said,
	keys: string,
	short: string,
	width: number,
	most: number,
): readonly string[] => {
	const said = paint('bad', label(what, 400));
	const whole = rowsOf([said, label(next, 400), keys], width);
	return whole.length <= most
		? whole
		: [said, short].map(line => cut(`${' '.repeat(INDENT)}${line}`, width - 1));
};

const retry = (again: number | undefined): string => {
	const key = paint('accent', keyFor('global.refresh'));
	return again === undefined
		? `${key} tries again.`
		: `Will try again at ${clockText(again)}; ${key} tries now.`;
};

/**
 * The failure, below rows or instead of them. It takes at most `most` rows, or two if `most` is
 * smaller; none without a failure.
 */
export const failureBelowRows = (
	{failure, again, status}: Remote<unknown>,
	connection: Connection,
	width: number,
	most = Infinity,
): readonly string[] => {
	if (connection.status === 'failed')
		return sentences(connection, retry(undefined), retry(undefined), width, most);
	if (failure === undefined) return [];
	const [keys, short] = [again, undefined].map(
		at => `${status === 'loading' ? asking() : retry(at)}   ${callDetailsHint(failure, 'global.evidence')}`,
	) as [string, string];
	return sentences(explainFailure(failure), keys, short, width, most);
};

/**
 * Lines shown instead of rows: the request in progress, the failure and its remedy, or `empty` if
 * the response had no rows.
 */
export const emptyStateRows = (
	remote: Remote<unknown>,
	connection: Connection,
	empty: string,
	width: number,
): readonly string[] => {
	const wrong = failureBelowRows(remote, connection, width);
	if (wrong.length > 0) return wrong;
	const line =
		remote.value !== undefined
			? empty
			: connection.status === 'connecting'
				? `${connection.doing} …`
				: asking();
	return wrap(`${' '.repeat(INDENT)}${line}`, width - 1, {hang: INDENT}).map(row => paint('dim', row));
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
