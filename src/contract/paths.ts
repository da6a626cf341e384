// Rules for paths on a server: names that Linux allows, joined with `/`, relative to the server's
// root. Shared by all packages. Must not import zod, because dialogs check a path at each key
// press.
import {withoutEnd} from '../text/ends.ts';

const LONGEST_NAME = 255;
const LONGEST_PATH = 4096;

const WINDOWS_DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³]) *(?:\.|$)/i;

const bytesIn = (text: string): number => new TextEncoder().encode(text).length;
const quoted = (text: string): string => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);

/**
 * Reason why a name is invalid, worded as the end of a sentence. Undefined if it is valid. Control
 * characters are valid, because screens escape them.
 */
const nameFault = (name: string): string | undefined => {
	if (name === '') return 'it contains an empty name; remove leading, trailing or doubled "/"';
	if (name === '.' || name === '..')
		return `"${name}" is not a name; write the path from the server's root, as in src/train.py`;
	if (!name.isWellFormed()) return 'it contains an invalid character (lone surrogate)';
	if (name.includes('/')) return `${quoted(name)} contains a slash, which can only separate names`;
	if (name.includes('\0')) return `${quoted(name)} contains a NUL character`;
	return bytesIn(name) > LONGEST_NAME ? `a name in it is longer than ${LONGEST_NAME} bytes` : undefined;
};

/** Reason why Windows cannot store a name or treats it as a device. Undefined if there is none. */
export const windowsNameFault = (name: string): string | undefined => {
	if (name.includes('\\')) return `${quoted(name)} contains a backslash, which separates names on Windows`;
	if (/[. ]$/.test(name)) return `${quoted(name)} ends in a dot or a space, which Windows cannot store`;
	if (WINDOWS_DEVICE.test(name)) return `${quoted(name)} is a device on Windows; choose another name`;
	return /[<>:"|?*]/.test(name) || [...name].some(char => char < ' ')
		? `${quoted(name)} contains one of < > : " | ? * or a control character, which Windows cannot store`
		: undefined;
};

/**
 * Form of a name in which the most tolerant file systems compare it: without letter case, invisible
 * characters, an NTFS stream after a colon, and trailing dots and spaces.
 */
export const foldedName = (name: string): string =>
	name
		.normalize('NFKC')
		.replaceAll(/[\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}]/gu, '')
		.replace(/:[^]*/, '')
		.replace(/[. ]+$/, '')
		.toLowerCase();

/** Includes `git~1`, the short name that NTFS gives to `.git`. */
const REPOSITORIES = [
	[/^(?:\.git|git~\d+)$/, 'git'],
	[/^(?:\.hg|hg~\d+)$/, 'Mercurial'],
] as const;

/**
 * Version control program that may use a folder of this name for its data, or undefined. Writing
 * there runs commands as the user at the next `git status`.
 */
export const repositoryOf = (name: string): 'git' | 'Mercurial' | undefined => {
	// A backslash separates names on Windows.
	const parts = name.split('\\').map(foldedName);
	return REPOSITORIES.find(([pattern]) => parts.some(part => pattern.test(part)))?.[1];
};

/**
 * Path of an endpoint or a call from the root of the service. It is below /api, except if it begins
 * with `../`.
 */
export const pathFromRoot = (path: string): string =>
	path.startsWith('../') ? path.slice(2) : `/api/${path.replace(/^\//, '')}`;

/** True for a hidden file, or a file in a hidden folder. Many configure which programs run. */
export const isDotfile = (path: string): boolean =>
	path.split(/[/\\]/).some(name => foldedName(name).startsWith('.'));

/**
 * Reason why a path of these names is invalid, worded as the end of a sentence. Undefined if it is
 * valid.
 */
export const namesFault = (names: readonly string[]): string | undefined =>
	bytesIn(names.join('/')) > LONGEST_PATH
		? `it is longer than ${LONGEST_PATH} bytes`
		: names.map(nameFault).find(fault => fault !== undefined);

export const namesOf = (path: string): readonly string[] => (path === '' ? [] : path.split('/'));

/** Folder that contains the path. A single name is in the root. */
export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Folders above a path, outermost first, without the root. */
export const parentsOf = (path: string): readonly string[] =>
	namesOf(parentOf(path)).map((_, index, names) => names.slice(0, index + 1).join('/'));

/** Reason why a path cannot be used, as a sentence. Undefined if it can. */
export const pathFault = (path: string): string | undefined => {
	const fault = namesFault(namesOf(path));
	return fault === undefined ? undefined : `The path ${quoted(path)} cannot be used: ${fault}.`;
};

/** Path as typed by the user, without a leading `/` or `./` and a trailing `/`. */
export const typedPath = (typed: string): string =>
	withoutEnd(typed.replace(/^(?:\.?\/)+/, ''), '/').replace(/^\.$/, '');

/**
 * Path and line of a location such as `src/a.py:120`. `isKnown`: true for existing files, whose own
 * names may end like that.
 */
export const typedPlace = (
	typed: string,
	isKnown: (path: string) => boolean = () => false,
): {readonly path: string; readonly line?: number} => {
	const whole = typedPath(typed);
	if (isKnown(whole)) return {path: whole};
	const trimmed = typedPath(typed.trim());
	const [, path = '', line] = /^([^]*?)(?::([1-9]\d{0,8}))?$/.exec(trimmed) ?? [];
	return line === undefined || isKnown(trimmed)
		? {path: trimmed}
		: {path: typedPath(path), line: Number(line)};
};
