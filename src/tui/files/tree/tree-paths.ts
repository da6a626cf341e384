// What becomes of the paths of a tree.
export const isWithin = (path: string, folder: string): boolean =>
	path === folder || path.startsWith(`${folder}/`);

/** The path of a thing, or of what lies in it, after the thing was renamed. */
export const movedPath = (path: string, from: string, to: string): string =>
	isWithin(path, from) ? to + path.slice(from.length) : path;
