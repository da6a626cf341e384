// Paths of a tree, and what becomes of them.
export const parentOf = (path: string): string => path.split('/').slice(0, -1).join('/');
export const nameOf = (path: string): string => path.split('/').at(-1) ?? path;
export const isWithin = (path: string, folder: string): boolean =>
	path === folder || path.startsWith(`${folder}/`);

/** The path of a thing, or of what lies in it, after the thing was renamed. */
export const movedPath = (path: string, from: string, to: string): string =>
	isWithin(path, from) ? to + path.slice(from.length) : path;

/** The folders above a path, the outermost first. */
export const parentsOf = (path: string): readonly string[] =>
	path
		.split('/')
		.slice(0, -1)
		.map((_, index, names) => names.slice(0, index + 1).join('/'));
