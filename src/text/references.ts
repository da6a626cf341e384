/** A place in a file that a text names. Lines count from 1. */
export type Reference = {readonly path: string; readonly line: number};

const PATH = String.raw`(?:[\w@+~-][\w.@+~-]*\/)*[\w@+~-][\w.@+~-]*\.[A-Za-z]\w{0,9}`;
// Python's traceback, `path:12` and `path:12:5`, and GitHub's `path#L12`, in this order where two fit.
const PATTERN = new RegExp(String.raw`File "(?<quoted>[^"\n]{1,400})", line (?<quotedLine>\d{1,9})|(?<![\w/.:@+~-])(?<path>\/?(?:\.\/)?${PATH})(?::(?<line>\d{1,9})(?::\d+)?|#L(?<hash>\d{1,9})(?:-L?\d+)?)(?!\w)`, 'g');
/** UTF-16 units at the end of a text that are looked at. */
const LOOKED_AT = 200_000;

/**
 * The places in files that an output or an answer names, last first (in a traceback that is where it happened), each once.
 * Paths are as they stand in the text, without a leading `./`; what is no file, such as `<stdin>`, is left out.
 */
export const referencesIn = (text: string): readonly Reference[] => {
	const found = new Map<string, Reference>();
	for (const {groups = {}} of text.slice(-LOOKED_AT).matchAll(PATTERN)) {
		const path = (groups['quoted'] ?? groups['path'] ?? '').replace(/^\.\//, '');
		const line = Number(groups['quotedLine'] ?? groups['line'] ?? groups['hash']);
		if (path === '' || path.startsWith('<')) continue;
		const id = `${path}:${line}`;
		// The last time counts for the order.
		found.delete(id);
		found.set(id, {path, line});
	}
	return [...found.values()].reverse();
};
