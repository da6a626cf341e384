import {explainFailure, type Remote} from '../../store/remote.ts';
import type {Connection} from '../../store/session.ts';
import {label} from '../../text/safe.ts';
import {paint} from '../theme/theme.ts';
import {ageText} from './age.ts';

/** How old a list is and whether it could be renewed, for the right end of a title line. */
export const freshness = (remote: Remote<unknown>, now: number): string => {
	if (remote.status === 'failed') return paint('bad', `not renewed${remote.at === undefined ? '' : `, ${ageText(remote.at, now)}`}`);
	if (remote.status === 'loading' && remote.value === undefined) return paint('dim', 'asking the service');
	return paint('dim', ageText(remote.at, now));
};

/** What stands in place of rows: nothing asked yet, waiting, or what went wrong and what to do. */
export const insteadOfRows = (remote: Remote<unknown>, connection: Connection, empty: string): readonly string[] => {
	if (remote.value !== undefined && remote.status !== 'failed') return [paint('dim', `   ${empty}`)];
	if (connection.status === 'failed') return [`   ${paint('bad', label(connection.what, 400))}`, `   ${label(connection.next, 400)}`];
	if (remote.failure && remote.status === 'failed') return failureLines(remote);
	return [paint('dim', `   ${connection.status === 'connecting' ? connection.doing : 'asking the service'} …`)];
};

/** The failure of a list: shown below old rows, or in their place. */
export const failureLines = (remote: Remote<unknown>): readonly string[] => {
	if (remote.status !== 'failed' || remote.failure === undefined) return [];
	const {what, next} = explainFailure(remote.failure);
	return [`   ${paint('bad', label(what, 400))}`, `   ${label(next, 400)}`];
};
