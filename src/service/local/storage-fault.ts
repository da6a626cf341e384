import {diskCode} from '../../machine/disk-fault.ts';
import {ServiceFault} from '../http/fault.ts';

/** Response to a full or read-only disk; null for other errors. The request had no effect. */
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
	if (code === 'ENOTDIR' || code === 'EISDIR' || code === 'ELOOP')
		return new ServiceFault(
			500,
			'Not done: something else stands where the service keeps its files. Its log names the place; move that away, then send this again.',
		);
	if (code === 'EIO')
		return new ServiceFault(
			500,
			'Not done: the disk of the service fails. Save what is on it, and name another folder with --data.',
		);
	return null;
};
