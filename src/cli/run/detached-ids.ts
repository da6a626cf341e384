import {detachedRuns} from '../../storage/detached-runs.ts';
import {openRunLogs} from '../../storage/run-log.ts';
import type {Context} from '../context.ts';
import {storageFor} from '../storage-for.ts';

/** Ids for `run --attach`. */
export const idsOfDetachedRuns = (context: Pick<Context, 'options' | 'env'>): readonly string[] =>
	detachedRuns(openRunLogs(storageFor(context))).flatMap(({document, state}) =>
		state === 'left' ? [document.id] : [],
	);
