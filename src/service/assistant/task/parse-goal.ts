// Interprets the wording of a goal by fixed rules.
import type {Measure} from './python.ts';

/** Words of a goal without quoted text and paths. */
export const wordsOf = (prose: string): string =>
	prose
		.replaceAll(/"[^"]*"|`[^`]*`|'[^'\n]*'(?!\w)|“[^”]*”/g, ' ')
		.replaceAll(/\S*[./]\w\S*|\S+\/(?=\W|$)/g, ' ');

const BEYOND =
	/\b(fix|mend|repair|debug|refactor|rewrite|implement|train|plot|draw|install|delete|remove|rename|move|copy|translate|download|upload|replace|optimi[sz]e|change|edit|improve|add|append|build|deploy|commit|fit|predict|clean|sort|merge|convert|summari[sz]e\s+the\s+(?:paper|news))\b/i;

/** True if the goal contains a request that no rule can fulfil. */
export const isBeyond = (prose: string): boolean =>
	BEYOND.test(wordsOf(prose)) && !/^\W*(?:why|explain)\b/i.test(prose);

const QUOTED = /"([^"\n]+)"|`([^`\n]+)`|“([^”\n]+)”|'([^'\n]+)'(?!\w)/;

export const quotedIn = (prose: string): string | null => QUOTED.exec(prose)?.slice(1).find(Boolean) ?? null;

export const searchTermIn = (prose: string): string | null => {
	if (
		!/\b(find|search|grep|look\s+for|where\s+(is|are|does|do)|which\s+files?|mentions?|occurs?)\b/i.test(
			prose,
		)
	)
		return null;
	const [, word] =
		/\b(?:find|search(?:\s+for)?|grep(?:\s+for)?|look\s+for)\s+(?:the\s+)?(?:(?:word|text|string|name)\s+)?([^\s"'`?]+)(?:\s+in\b.*)?[.?!]?\s*$/i.exec(
			prose,
		) ??
		/\bwhere\s+(?:is|are)\s+([\w.]+)\s+(?:used|defined|called|imported|set)\b/i.exec(prose) ??
		[];
	return quotedIn(prose) ?? word ?? null;
};

const MEASURES: readonly (readonly [Measure, RegExp])[] = [
	['min', /\b(cheapest|lowest|least|smallest|min(imum|imal)?|fewest)\b/i],
	['max', /\b(most\s+expensive|dearest|highest|largest|biggest|greatest|max(imum|imal)?)\b/i],
	['mean', /\b(average|mean)\b/i],
	['sum', /\b(total|sum)\b/i],
	['count', /\b(how\s+many|number\s+of|count)\b/i],
];

export const measureIn = (prose: string): Measure | null => {
	const words = wordsOf(prose);
	return MEASURES.find(([, pattern]) => pattern.test(words))?.[0] ?? null;
};

/**
 * Name of the column to group by: the word after `per`, `by` and similar words. Null if there is
 * none.
 */
export const groupIn = (prose: string): string | null =>
	/\b(?:per|by|for\s+each|for\s+every|in\s+each|grouped\s+by)\s+(?:the\s+)?([\p{L}\p{N}_-]+)/iu.exec(
		wordsOf(prose),
	)?.[1] ?? null;

export const wantsFile = (prose: string): boolean =>
	/\b(write|make|create|save|produce|prepare)\b/i.test(wordsOf(prose));

export const targetIn = (prose: string): string | null =>
	/\b(?:in|into|to|as|called|named)\s+[`"']?([\p{L}\p{N}_./-]+\.(?:md|txt))\b/iu.exec(prose)?.[1] ?? null;

const folded = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/**
 * Column that a word refers to: a column with this name, or the only column whose name contains it.
 * Null if there is none.
 */
export const columnFor = (columns: readonly string[], word: string): string | null => {
	const wanted = folded(word);
	if (wanted === '') return null;
	const one = wanted.replace(/s$/, '');
	const same = columns.find(
		name => [wanted, one].includes(folded(name)) || folded(name).replace(/s$/, '') === one,
	);
	const [part, another] = columns.filter(name => one.length > 2 && folded(name).includes(one));
	return same ?? (another === undefined ? (part ?? null) : null);
};

export const columnsNamed = (columns: readonly string[], prose: string): readonly string[] => {
	const words = wordsOf(prose).split(/[^\p{L}\p{N}_]+/u);
	return columns.filter(name => words.some(word => word.length > 1 && columnFor([name], word) === name));
};
