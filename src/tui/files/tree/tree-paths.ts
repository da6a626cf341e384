// Paths of a tree after a rename.
export const isWithin = (path: string, folder: string): boolean =>
	path === folder || path.startsWith(`${folder}/`);

/** The path of an entry, or of its content, after a rename. */
export const movedPath = (path: string, from: string, to: string): string =>
	isWithin(path, from) ? to + path.slice(from.length) : path;
