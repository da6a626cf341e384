import {isUtf8} from 'node:buffer';
import type {FileEntry, UploadRequest} from '../contract/files.ts';
import {CommandError} from './command-error.ts';

const BASE64 = /^[A-Za-z0-9+/\s]*={0,2}\s*$/;

const unreadable = (path: string, why: string): CommandError =>
	new CommandError('off-contract', `The content of ${path} cannot be read: ${why}.`, 'Report it to whoever runs the service; --json shows the answer.');

/** The bytes of a file's answer. @throws {CommandError} */
export const bytesOf = ({path, type, format, content}: FileEntry): Buffer => {
	if (type === 'directory') throw new CommandError('refused', `${path === '' ? 'The root' : path} is a folder.`, 'svc-tui files list SERVER PATH lists it.');
	if (typeof content === 'string') {
		if (format !== 'base64') return Buffer.from(content, 'utf8');
		if (!BASE64.test(content)) throw unreadable(path, 'it is not the base64 that the service says it is');
		return Buffer.from(content, 'base64');
	}
	// A notebook may come as JSON; one space is how nbformat indents it on disk.
	if (typeof content === 'object' && content !== null && !Array.isArray(content)) return Buffer.from(`${JSON.stringify(content, null, 1)}\n`, 'utf8');
	throw unreadable(path, 'the service sent none');
};

/** Text as `text`; whatever is not UTF-8 as `base64`, so that every byte arrives. */
export const uploadOf = (bytes: Buffer): UploadRequest =>
	isUtf8(bytes) ? {content: bytes.toString('utf8'), format: 'text', type: 'file'} : {content: bytes.toString('base64'), format: 'base64', type: 'file'};

/** Bytes that mean nothing on a terminal. */
export const isBinary = (bytes: Buffer): boolean => !isUtf8(bytes) || bytes.includes(0);
