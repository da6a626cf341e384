import type {JobOnDisk} from '../../api/jobs/read-jobs.ts';
import {label} from '../../text/safe.ts';
import {explainFailure, type Remote} from '../core/store/remote.ts';
import {paint} from '../core/theme/theme.ts';

/** Most jobs with a row of their own. */
const MOST = 5;

/** A server's jobs, one text per row; none before the user has asked. */
export const jobTexts = (jobs: Remote<readonly JobOnDisk[]> | undefined): readonly string[] => {
	if (jobs === undefined || jobs.status === 'idle') return [];
	const {value, failure} = jobs;
	const failed =
		jobs.status === 'failed' && failure
			? [paint('bad', `? ${label(explainFailure(failure).what, 300)}`)]
			: [];
	if (value === undefined) return failed.length > 0 ? failed : ['being read'];
	if (value.length === 0) return [...failed, 'none'];
	const running = value.filter(({isRunning}) => isRunning).length;
	const rows = value
		.slice(0, MOST)
		.map(({name, words, hasFailed}) => `${label(name, 64)}  ${hasFailed ? paint('bad', words) : words}`);
	return [
		...failed,
		`${running} running, ${value.length - running} over, as their files say`,
		...rows,
		...(value.length > MOST ? [`and ${value.length - MOST} more`] : []),
	];
};
