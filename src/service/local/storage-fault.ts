import {diskCode} from '../../machine/disk-fault.ts';
import {ServiceFault} from '../http/fault.ts';

/** Fault for a full or read-only disk. Null for other errors. The request had no effect. */
export const storageFault = (error: unknown): ServiceFault | null => {
	const code = diskCode(error);
	if (code === 'ENOSPC' || code === 'EDQUOT')
		return new ServiceFault(
			507,
			'Not saved: the disk of the service is full. Free some space there, then try again.',
		);
	if (code === 'EROFS' || code === 'EACCES' || code === 'EPERM')
		return new ServiceFault(
			403,
			'Not saved: the service may not write to its data folder. Make it writable, then try again.',
		);
	if (code === 'ENOTDIR' || code === 'EISDIR' || code === 'ELOOP')
		return new ServiceFault(
			500,
			"Failed: a file or folder is in the way of the service's data; see its log. Move it away and try again.",
		);
	if (code === 'EIO')
		return new ServiceFault(
			500,
			'Failed: the disk of the service is failing. Back it up, and choose another folder with --data.',
		);
	return null;
};
