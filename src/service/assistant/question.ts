import type {Message} from '../../contract/assistant.ts';
import {endsFence, fenceIn, type Fence} from '../../text/markdown/fence.ts';

/**
 * User message, split into prose and fenced blocks. The blocks contain attached files and
 * tracebacks.
 */
export type Question = {readonly prose: string; readonly fences: readonly string[]};

// Maximum length of the prose in UTF-16 units, because it is searched for the names of all files on
// the server.
export const MAX_PROSE = 2000;

/** Splits a message at its code fences. As in Markdown, an unclosed fence extends to the end. */
const splitMessage = (text: string): Question => {
	const prose: string[] = [];
	const fences: string[][] = [];
	let open: Fence | null = null;
	for (const line of text.split(/\r?\n/)) {
		if (open !== null) {
			if (endsFence(line, open)) open = null;
			else fences.at(-1)?.push(line);
		} else {
			open = fenceIn(line);
			if (open === null) prose.push(line);
			else fences.push([]);
		}
	}
	return {prose: prose.join('\n').trim().slice(0, MAX_PROSE), fences: fences.map(lines => lines.join('\n'))};
};

/** Questions of a conversation, newest first. */
export const questionsOf = (messages: readonly Message[]): readonly Question[] =>
	messages
		.filter(message => message.role === 'user')
		.map(message => splitMessage(message.content))
		.reverse();

/**
 * True for "how to" questions. Their words describe a task instead of naming things on the server.
 */
export const asksHow = (prose: string): boolean =>
	/\bhow\s+(do|does|can|could|would|should|to)\b/i.test(prose);

const HELP =
	/^\W*(help|hi|hello|hey|hiya|commands|usage|start)?\W*$|\b(what\s+(can|could|do)\s+(you|i\s+(ask|do))|who\s+are\s+you|what\s+are\s+you|are\s+you\s+(an?|real|chatgpt)|how\s+(do|can)\s+i\s+use\s+you|how\s+do\s+you\s+work)\b/i;
const ERROR =
	/\b(errors?|exceptions?|traceback|stack\s*trace|fail(s|ed|ing|ure)?|crash(es|ed)?|broke(n)?|went\s+wrong|what\s+happened|goes\s+wrong|raised)\b/i;
const PACKAGES =
	/\b(packages?|librar(y|ies)|toolkits?|installed|install|pip|imports?|imported|environment|(which|what)\s+(version\s+of\s+)?python|python\s+version|modules|do\s+(i|you|we)\s+have)\b/i;
const LIST =
	/\b(files?|folders?|director(y|ies)|ls|dir|(on|in)\s+(this|the|my)\s+server|what('s|\s+is)\s+(here|there))\b/i;

export const wantsHelp = (prose: string): boolean => HELP.test(prose);
export const namesError = (prose: string): boolean =>
	ERROR.test(prose) && !/\bhow\s+(do|can|to)\b/i.test(prose);
export const namesPackages = (prose: string): boolean => PACKAGES.test(prose);
export const namesFiles = (prose: string): boolean => LIST.test(prose) && !asksHow(prose);
export const pointsBack = (prose: string): boolean =>
	/\b(its|in\s+it|(this|that|the\s+same)\s+(file|table|script|notebook))\b/i.test(prose);
/**
 * Range of lines that a question mentions: `train.py:12`, `#L10-20`, `lines 3 to 9`. Null if there
 * is none.
 */
export const linesNamed = (prose: string): readonly [from: number, to: number] | null => {
	const [, from, to] = /(?:#L|\blines?\s+|\w:)(\d+)(?:\s*(?:-|–|to|and)\s*L?(\d+))?/i.exec(prose) ?? [];
	return from === undefined ? null : [Number(from), Math.max(Number(from), Number(to ?? from))];
};

// Common words, which are not treated as names even if Python has such a name.
const PLAIN = new Set(
	`a about above am an and any are as at be been by can class code could current do does doc docs documentation each example
	explain file files find for from function get give good have help here how i if in into is it its keyword know like main make mean means meaning me
	method module my name need new no not now object of on one or out please python read say see server shall should show signature site so some
	tell test than that the their them then there these they thing this those to too two use used uses using value variable want was way we were what
	when where which who why will with without work works would write you your`.split(/\s+/),
);

const NAME = /[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*/g;
const ASKED =
	/\b(?:what(?:'s|\s+is|\s+are|\s+does)?|explain|describe|help(?:\s+(?:on|with|for))?|docs?(?:\s+(?:of|for|on))?|documentation\s+(?:of|for|on)|meaning\s+of|signature\s+of|about|use|using)[\s(]+(?:the\s+|an?\s+)?(?:(?:function|class|module|method|package|builtin|keyword)\s+)?`?([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)`?/gi;

/**
 * Python names in a question, most likely first. `sure`: true if it looks like a name and not like
 * an ordinary word.
 */
export const namesIn = (prose: string): readonly {readonly name: string; readonly sure: boolean}[] => {
	const quoted = [...prose.matchAll(/`([^`\n]+)`/g)].flatMap(
		([, span = '']) => span.replace(/\([^]*/, '').match(NAME) ?? [],
	);
	const words = prose.match(NAME) ?? [];
	const shaped = words.filter(
		word => /[._]|[a-z][A-Z]|^[A-Z][a-z]+[A-Z]/.test(word) || prose.includes(`${word}(`),
	);
	const asked = [...prose.matchAll(ASKED)]
		.map(([, name = '']) => name)
		.filter(name => !PLAIN.has(name.toLowerCase()));
	const alone = words.length === 1 ? words : [];
	const weak = words.filter(word => word.length > 1 && !PLAIN.has(word.toLowerCase()));
	const found = new Map<string, boolean>();
	for (const name of [...quoted, ...shaped, ...asked, ...alone])
		if (name.toLowerCase() !== 'help') found.set(name, true);
	for (const name of weak) if (!found.has(name)) found.set(name, false);
	return [...found].map(([name, sure]) => ({name, sure}));
};
