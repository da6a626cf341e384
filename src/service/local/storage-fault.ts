import {ServiceFault} from '../http/fault.ts';

/** SQLite's primary result codes. */
const SQLITE = {readOnly: 8, full: 13} as const;

const sqliteCode = (error: Error): number =>
	'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : 0;
const systemCode = (error: Error): string =>
	'code' in error && typeof error.code === 'string' ? error.code : '';

/** A full or closed disk under the service's own files, as a refusal; null for any other error. What was asked for has not happened then. */
export const storageFault = (error: unknown): ServiceFault | null => {
	if (!(error instanceof Error)) return null;
	const [sqlite, code] = [sqliteCode(error), systemCode(error)];
	if (sqlite === SQLITE.full || code === 'ENOSPC' || code === 'EDQUOT')
		return new ServiceFault(
			507,
			'Not saved: the disk of the service is full. Free some space there, then send this again.',
		);
	if (sqlite === SQLITE.readOnly || code === 'EROFS' || code === 'EACCES' || code === 'EPERM')
		return new ServiceFault(
			403,
			'Not saved: the service may not write to its data folder. Open it for writing, then send this again.',
		);
	return null;
};
