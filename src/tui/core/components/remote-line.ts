import {explainFailure, type Remote} from '../store/remote.ts';
import type {Connection} from '../store/session.ts';
import {label} from '../../../text/safe.ts';
import {wrap} from '../../../text/width/wrap.ts';
import {paint} from '../theme/theme.ts';
import {ageText} from './age.ts';
import {evidenceHint} from './key-hint.ts';

/** The last answer was a failure; it is until another one comes. */
export const isFailing = ({failure}: Remote<unknown>): boolean => failure !== undefined;

/** How old a list is and whether it could be renewed, for the right end of a title line. */
export const freshness = (remote: Remote<unknown>, now: number): string => {
	const age = remote.at === undefined ? '' : `, ${ageText(remote.at, now, true)}`;
	if (isFailing(remote))
		return remote.status === 'loading'
			? paint('busy', `asking again${age}`)
			: paint('bad', `not renewed${age}`);
	if (remote.status === 'loading' && remote.value === undefined) return paint('dim', 'asking the service');
	return paint('dim', ageText(remote.at, now));
};

const sentences = (
	{what, next}: {readonly what: string; readonly next: string},
	width: number,
	hint = '',
): readonly string[] =>
	[`   ${paint('bad', label(what, 400))}`, `   ${label(next, 400)} ${hint}`.trimEnd()].flatMap(line =>
		wrap(line, width - 1, {hang: 3}),
	);

/** What stands in place of rows: nothing asked yet, waiting, or what went wrong and what to do. */
export const insteadOfRows = (
	remote: Remote<unknown>,
	connection: Connection,
	empty: string,
	width: number,
): readonly string[] => {
	if (remote.value !== undefined && !isFailing(remote)) return [paint('dim', `   ${empty}`)];
	if (connection.status === 'failed') return sentences(connection, width);
	if (isFailing(remote)) return failureLines(remote, width);
	return [
		paint('dim', `   ${connection.status === 'connecting' ? connection.doing : 'asking the service'} …`),
	];
};

/** What stands in place of rows of an answer: `empty`, unless there are rows that could not be read. */
export const emptyOf = (
	remote: Remote<{readonly unreadable: number}>,
	noun: string,
	empty: string,
): string => {
	const unreadable = remote.value?.unreadable ?? 0;
	if (unreadable === 0) return empty;
	return `${unreadable === 1 ? 'Its one entry' : `None of its ${unreadable} entries`} could ${unreadable === 1 ? 'not ' : ''}be read: svc-tui ${noun} --json shows ${unreadable === 1 ? 'it' : 'them'}.`;
};

/** Below old rows: why there are no newer ones. */
export const belowRows = (
	remote: Remote<unknown>,
	connection: Connection,
	width: number,
): readonly string[] =>
	connection.status === 'failed' ? sentences(connection, width) : failureLines(remote, width);

/** The failure of a list: shown below old rows, or in their place. */
export const failureLines = (remote: Remote<unknown>, width: number): readonly string[] => {
	return remote.failure === undefined
		? []
		: sentences(explainFailure(remote.failure), width, evidenceHint(remote.failure, 'global.evidence'));
};
