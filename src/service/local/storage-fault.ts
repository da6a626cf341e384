import {diskCode} from '../../state/disk-fault.ts';
import {ServiceFault} from '../http/fault.ts';

/** A full or closed disk under the service's own files, as a refusal; null for any other error. What was asked for has not happened then. */
export const storageFault = (error: unknown): ServiceFault | null => {
	const code = diskCode(error);
	if (code === 'ENOSPC' || code === 'EDQUOT')
		return new ServiceFault(
			507,
			'Not saved: the disk of the service is full. Free some space there, then send this again.',
		);
	if (code === 'EROFS' || code === 'EACCES' || code === 'EPERM')
		return new ServiceFault(
			403,
			'Not saved: the service may not write to its data folder. Open it for writing, then send this again.',
		);
	return null;
};
