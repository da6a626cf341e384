// Pages of matches in the files of a server, and the requests for them.
import * as z from 'zod';
import {isPrivate} from '../../contract/guarded-paths.ts';
import {jsonIn} from '../../text/record.ts';

export type SearchRequest = {
	/** Regular expression in Python's syntax, or plain text if `fixed`. */
	readonly pattern: string;
	/** Folder or file. Empty for the root. */
	readonly path: string;
	readonly fixed: boolean;
	readonly ignoreCase: boolean;
	/** Number of lines to return before and after each match. At most `MOST_CONTEXT`. */
	readonly context: number;
	/** Set to list files by name, without reading their content. */
	readonly names?: true;
};

export const MOST_CONTEXT = 20;

const cursor = z.tuple([z.string(), z.int().nonnegative().nullable()]).nullable();
/** Position after which the next page begins. */
export type SearchCursor = z.output<typeof cursor>;

const offset = z.int().nonnegative();
const match = z.object({
	path: z.string(),
	/** Line number, from 1. */
	line: z.int().positive(),
	/** The line, or a part of it if it is long. */
	text: z.string(),
	/** Range of the match in `text`, in code points. */
	start: offset,
	end: offset,
	/**
	 * Lines before and after the match, in the order of the file. Fewer at the start or end of the
	 * file.
	 */
	before: z.array(z.string()),
	after: z.array(z.string()),
});
export type Match = z.output<typeof match>;

const page = z.object({
	matches: z.array(match),
	searched: offset,
	next: cursor,
	/**
	 * `costly`: the pattern might never end, and the machine has no means to stop it. `slow`: the
	 * pattern was stopped in the file that `says` names.
	 */
	trouble: z.enum(['missing', 'pattern', 'costly', 'slow']).optional(),
	says: z.string().optional(),
});
export type SearchPage = z.output<typeof page>;

/**
 * Path relative to the searched folder. The folder itself may be private, because the user has
 * named it.
 */
const below = (path: string, base: string): string => (base === '' ? path : path.slice(base.length));

/**
 * Reads a page. Matches in hidden files, keys and passwords are left out. Null if it is not a
 * page.
 */
export const searchPageIn = (text: string, base: string): SearchPage | null => {
	const found = page.safeParse(jsonIn(text)).data;
	if (found === undefined) return null;
	return {...found, matches: found.matches.filter(({path}) => !isPrivate(below(path, base)))};
};
