import {FileFault} from './files.ts';

/** Names of files while they are written; their own folder holds them, and nobody can address them. */
const TEMP = /^\.svc-[0-9a-f]{16}\.tmp$/;
/** The service's own folder inside a server's root. */
const STATE = '.svc';

const WINDOWS_RESERVED = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³]) *(\.|$)/i;
const WINDOWS = process.platform === 'win32';

/** A name that the service keeps for itself. `top` says that it stands directly in the root. */
export const isReserved = (name: string, top: boolean): boolean => TEMP.test(name) || (top && name.toLowerCase() === STATE);

export const isTemp = (name: string): boolean => TEMP.test(name);

const quoted = (text: string): string => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);

const whyUnsafe = (name: string): string | undefined => {
	if (name === '') return 'it has an empty part; write it without a leading, trailing or doubled "/"';
	if (name === '.' || name === '..') return `"${name}" is not a name; write the path from the server's root`;
	if (!name.isWellFormed()) return 'it holds half of a character (a lone surrogate)';
	if (/[/\\]/.test(name)) return `${quoted(name)} holds a slash; "/" can only separate names`;
	if ([...name].some(char => char <= '\u001F' || char === '\u007F')) return `${quoted(name)} holds a control character`;
	if (Buffer.byteLength(name) > 255) return 'a name in it is longer than 255 bytes';
	return undefined;
};

const whyNotPortable = (name: string): string | undefined => {
	if (/[. ]$/.test(name)) return `${quoted(name)} ends in a dot or a space, which Windows cannot keep`;
	if (WINDOWS_RESERVED.test(name)) return `${quoted(name)} is a device on Windows; choose another name`;
	if (/[<>:"|?*]/.test(name)) return `${quoted(name)} holds one of < > : " | ? *, which Windows cannot keep`;
	return undefined;
};

/**
 * Splits a path into names that are safe to join to a folder. The empty path is the root: no names.
 * Names that some platform cannot keep are refused when writing everywhere, when reading only where they would mean something else.
 * @throws {FileFault} 400 for an unsafe name, 403 for the service's own files.
 */
export const parsePath = (path: string, use: 'read' | 'write'): readonly string[] => {
	if (path === '') return [];
	if (Buffer.byteLength(path) > 4096) throw new FileFault(400, 'The path is longer than 4096 bytes.');
	const names = path.split('/');
	for (const [index, name] of names.entries()) {
		const reason = whyUnsafe(name) ?? (use === 'write' || WINDOWS ? whyNotPortable(name) : undefined);
		if (reason !== undefined) throw new FileFault(400, `The path ${quoted(path)} cannot be used: ${reason}.`);
		if (isReserved(name, index === 0)) throw new FileFault(403, `${quoted(path)} belongs to the service and cannot be read or written.`);
	}
	return names;
};
