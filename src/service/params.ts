import {ServiceFault} from './fault.ts';

const namePattern = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;
const nameRule = 'A server name has 1 to 63 letters, digits and hyphens, and begins and ends with a letter or digit.';
const decodeFault = 'The address holds a broken percent escape; encode each part of it as UTF-8.';

/** @throws {ServiceFault} 400 for a name that the service does not take. */
export const checkServerName = (name: string): string => {
	if (!namePattern.test(name)) throw new ServiceFault(400, nameRule);
	return name;
};

/** @throws {ServiceFault} 400 for bad or overlong escapes. */
export const decodeSegment = (raw: string): string => {
	try {
		return decodeURIComponent(raw);
	} catch {
		throw new ServiceFault(400, decodeFault);
	}
};

const windowsDevice = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

const checkFileSegment = (segment: string, portable: boolean): void => {
	if (segment === '' || segment === '.' || segment === '..') throw new ServiceFault(400, 'A file path has no empty, "." or ".." part; write it relative to the server\'s folder, as in src/train.py.');
	if ([...segment].some(char => char < ' ' || char === '\u007F' || char === '/' || char === '\\')) throw new ServiceFault(400, 'A file name holds a slash, a backslash or a control character; rename it.');
	if (Buffer.byteLength(segment) > 255) throw new ServiceFault(400, 'A file name is longer than 255 bytes; shorten it.');
	if (!portable) return;
	if (/[. ]$/.test(segment) || windowsDevice.test(segment) || /[<>:"|?*]/.test(segment)) {
		throw new ServiceFault(400, `The name ${JSON.stringify(segment)} does not work on every system (reserved word, reserved character, or a dot or space at its end); choose another.`);
	}
};

/**
 * Decodes a raw file path segment by segment; the empty path is the server's root folder.
 * New names must work on every system (`portable`), so that a folder can be moved; existing ones may be read.
 * @throws {ServiceFault} 400
 */
export const decodeFilePath = (raw: string, portable: boolean): string => {
	if (raw === '') return '';
	const segments = raw.split('/').map(decodeSegment);
	for (const segment of segments) checkFileSegment(segment, portable);
	return segments.join('/');
};
