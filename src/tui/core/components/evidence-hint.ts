import type {Failure} from '../store/remote.ts';
import {keyHint} from './key-hint.ts';

/** Behind an error: the key that shows what was asked and answered. `global.evidence` where no text is typed. */
export const evidenceHint = (
	{status}: Pick<Failure, 'status'>,
	entry: 'global.evidence' | 'always.evidence',
): string => keyHint(entry, status === undefined ? 'shows the call' : 'shows the answer');
