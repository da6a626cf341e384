// Paths of a tree, also after a rename.
export const isWithin = (path: string, folder: string): boolean =>
	path === folder || path.startsWith(`${folder}/`);

/** The path after a rename, for the renamed entry and everything below it. */
export const movedPath = (path: string, from: string, to: string): string =>
	isWithin(path, from) ? to + path.slice(from.length) : path;
