import {canBeServerName} from '../../contract/names.ts';
import {namesFault, namesOf} from '../../contract/paths.ts';
import {ServiceFault} from './fault.ts';

const nameRule =
	'A server name has 1 to 63 letters, digits and hyphens, and starts and ends with a letter or digit.';
const decodeFault = 'The address contains an invalid percent escape; encode each part of it as UTF-8.';

/** Validates a server name. @throws {ServiceFault} 400 if it is invalid. */
export const checkServerName = (name: string): string => {
	if (!canBeServerName(name, true)) throw new ServiceFault(400, nameRule);
	return name;
};

/**
 * Decodes a path segment.
 * @throws {ServiceFault} 400 if a percent escape is malformed or overlong.
 */
export const decodeSegment = (raw: string): string => {
	try {
		return decodeURIComponent(raw);
	} catch {
		throw new ServiceFault(400, decodeFault);
	}
};

/**
 * Decodes a file path segment by segment, so that an encoded slash is not a separator. Empty for
 * the root folder.
 * @throws {ServiceFault} 400 if the path is invalid.
 */
export const decodeFilePath = (raw: string): string => {
	const names = namesOf(raw).map(decodeSegment);
	const fault = namesFault(names);
	if (fault !== undefined) throw new ServiceFault(400, `The file path cannot be used: ${fault}.`);
	return names.join('/');
};
