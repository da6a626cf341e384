// Wording checks for comments, strings, test titles, CHANGELOG.md and commit messages.

/** A finding. `check` groups the findings. */
export type Hit = {readonly check: Check; readonly line: number; readonly message: string};

export const CHECKS = [
	'opening',
	'phrase',
	'width',
	'member-line',
	'sentence',
	'outside-id',
	'title',
	'string',
	'changelog',
] as const;
export type Check = (typeof CHECKS)[number];

/** Offsets of a comment in its file. */
export type Range = readonly [start: number, end: number];

const MAX_COLUMNS = 100;
const TAB_COLUMNS = 4;

/** Directives for tools and links, which cannot be reworded or wrapped. */
const DIRECTIVE = /^(@module-tag|@ts-|@vitest|[@#]__PURE__|breaks: |eslint-|noqa: |#?region\b)/;
const LONE_LINK = /^\W*https?:\S+\W*$/;

const NOUN_OR_VERB = "Start with a noun or a verb: 'Returns …', 'Time limit …', 'True if …'.";

const OPENINGS: readonly (readonly [RegExp, string])[] = [
	[/^What\b/, `Opens with "What". ${NOUN_OR_VERB}`],
	[/^(Of|Where|How|Whether|Why)\b/, `Opens with a subordinate word. ${NOUN_OR_VERB}`],
	[
		/^(Who(ever|se|m)?|That|Those|Which|So|As|One|Ours)\b/,
		`Opens with a pronoun or connective. ${NOUN_OR_VERB}`,
	],
	[/^Its?\b/, `Opens with "It": name the subject. ${NOUN_OR_VERB}`],
	[
		/^(?!For example\b|In (ms|seconds|bytes|milliseconds|pixels|cells|UTF-16)\b)(By|At|On|In|From|To|With|Without|Behind|Below|Beside|For)\b/,
		`Opens with a preposition. ${NOUN_OR_VERB}`,
	],
	[
		/^(Null:|Nobody\b|Nothing\b)/,
		"Opens with a negative. Say first what the value is, and end with 'Null if …'.",
	],
];

/** Matches "is no …", except in "there is no …" and "no longer", which are plain English. */
const IS_NO = /(?<!\bthere )\b(is|are|was) no (?!longer\b)[a-z]+\b/i;

const PHRASES: readonly (readonly [RegExp, string])[] = [
	[
		/\b(no|some)body\b|\b(who|what|wher)ever\b/i,
		'Name the actor: the user, the caller, another client, any X.',
	],
	[/\b(stands?|stood)\b/, "Instead of 'stands' write 'is', 'appears' or 'is stored'."],
	[
		/\b(goes|go|gone|going|went) on\b/,
		"Instead of 'goes on' write 'continues', 'resumes' or 'keeps running'.",
	],
	[
		/\b(came|comes|became|becomes?) of\b/,
		"Instead of 'what came of it' write 'result', 'outcome' or 'state'.",
	],
	[
		/\b(anew|meanwhile|but for|by itself)\b/,
		"Instead of 'anew', 'meanwhile', 'but for', 'by itself' write 'again', 'while …', 'except', 'automatically'.",
	],
	[
		/\b(is|are|was|were|be|been) (told|had|kept|gone on with)\b/,
		'Say who acts, in the active voice: reports, has, stores, continues.',
	],
	[/\b(one|those) that\b/i, "Repeat the noun instead of 'one that' or 'those that'."],
	[IS_NO, "Say what it is, or write 'is not a …'."],
];

const OUTSIDE_ID = /\(([A-H]|product, H)\d+\)|\binterface \d\.\d/;

/**
 * A block or line comment; consecutive `//` lines are one block. `joinsLine`: the line that would
 * continue it.
 */
type Block = {
	readonly text: string;
	readonly line: number;
	readonly beforeMember: boolean;
	readonly joinsLine: number | null;
};

const lineStarts = (source: string): readonly number[] => {
	const starts = [0];
	for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
	return starts;
};

const columns = (text: string): number => text.length + (TAB_COLUMNS - 1) * (text.split('\t').length - 1);

const withoutMarks = (comment: string): string =>
	comment
		.replace(/^\/\*+|\*+\/$/g, '')
		.split('\n')
		.map(line => line.replace(/^\s*(\/\/+|#+|\*(?!\*))? ?/, '').trim())
		.join(' ')
		.trim();

/** Checks 1 to 6: findings in the comments of a file. */
export const commentHits = (source: string, ranges: readonly Range[]): Hit[] => {
	const starts = lineStarts(source);
	const lineOf = (offset: number): number => {
		let low = 0;
		let high = starts.length - 1;
		while (low < high) {
			const middle = (low + high + 1) >> 1;
			if (starts[middle]! <= offset) low = middle;
			else high = middle - 1;
		}
		return low;
	};
	const hits: Hit[] = [];
	const blocks: Block[] = [];
	for (const [start, end] of ranges) {
		const first = lineOf(start);
		const last = lineOf(end);
		const raw = source.slice(start, end);
		const text = withoutMarks(raw);
		if (DIRECTIVE.test(text)) continue;
		for (let line = first; line <= last; line++) {
			const shown = source.slice(starts[line], Math.min(end, (starts[line + 1] ?? source.length + 1) - 1));
			if (columns(shown) > MAX_COLUMNS && !LONE_LINK.test(shown))
				hits.push({
					check: 'width',
					line: line + 1,
					message: `Comment line of ${columns(shown)} columns: at most ${MAX_COLUMNS} (a tab counts ${TAB_COLUMNS}).`,
				});
		}
		const rest = source.slice(end, starts[last + 1] ?? source.length).trim();
		const isOwnLine = !raw.startsWith('/*') && source.slice(starts[first], start).trim() === '';
		const previous = blocks.at(-1);
		if (isOwnLine && previous?.joinsLine === first)
			blocks[blocks.length - 1] = {...previous, text: `${previous.text} ${text}`, joinsLine: first + 1};
		else
			blocks.push({
				text,
				line: first,
				beforeMember: raw.startsWith('/**') && rest !== '',
				joinsLine: isOwnLine ? first + 1 : null,
			});
	}
	for (const {text, line, beforeMember} of blocks) {
		if (text === '') continue;
		const report = (check: Check, message: string): unknown => hits.push({check, line: line + 1, message});
		for (const [pattern, message] of OPENINGS) if (pattern.test(text)) report('opening', message);
		for (const [pattern, message] of PHRASES) if (pattern.test(text)) report('phrase', message);
		if (beforeMember) report('member-line', 'Put a doc comment on a line of its own, above the member.');
		if (/^[a-z]/.test(text) && !/^https?:/.test(text))
			report('sentence', 'Start with a capital letter; put code in backticks.');
		if (/[^.:!?`})]$/.test(text) && !/https?:\S+$/.test(text)) report('sentence', 'End with a full stop.');
		if (OUTSIDE_ID.test(text))
			report('outside-id', 'Replace the number of an outside list by the sentence it stands for.');
	}
	return hits.toSorted((one, other) => one.line - other.line);
};

const NAMED_BY_ID = /^[A-Z]\d{1,3}\b.*? [a-z]+ [a-z]/;

/** Check 7: test titles that start with an id. */
export const titleHits = (title: string, line: number): Hit[] =>
	NAMED_BY_ID.test(title)
		? [
				{
					check: 'title',
					line,
					message: 'Test title opens with an id: say in plain words what the user can rely on.',
				},
			]
		: [];

const STRING_WORDS: readonly (readonly [RegExp, string])[] = [
	[/\bin the clear\b/, "Instead of 'in the clear' write 'unencrypted'."],
	[/\bunder way\b/, "Instead of 'under way' write 'in progress', 'running' or 'loading'."],
	[/\bby (itself|themselves)\b/, "Instead of 'by itself' write 'automatically'."],
	[/\bany more\b/, "Instead of 'not … any more' write 'no longer'."],
	[/\bmeanwhile\b/i, "Instead of 'meanwhile' name the time: 'while …', 'since …'."],
	[/\bgoes? along\b/, "Instead of 'goes along' write 'is included' or 'is attached'."],
	[/\bletter for letter\b/, "Instead of 'letter for letter' write 'exactly' or 'unchanged'."],
	[/\b(is|are) made\b/, "Instead of 'is made' write 'is created'."],
	[IS_NO, "Say what it is, or write 'is not a …' or 'no … found'."],
	[/\bnot known\b/, "Instead of 'not known' write 'unknown' or 'may or may not have …'."],
	[/\b(stands?|stood)\b/, "Instead of 'stands' write 'is' or 'appears'."],
	[/\b(goes|go|gone|going|went) on\b/, "Instead of 'go on' write 'continue'."],
	[
		/\b(begin(s|ning)?|began|begun)\b(?! (with|at|of)\b)/i,
		"Instead of 'begin' write 'start' ('begins with' is allowed for text).",
	],
	[/\bis final\b/, "Instead of 'is final' write 'cannot be undone'."],
	[
		/^(Whether|What|That|Those)\b(?!.*\?$)/s,
		'Opens with a subordinate word: start with the noun or the verb.',
	],
];

const TWO_WORDS = /\p{L}{2,}[,;:]? \p{L}{2,}/u;
const PYTHON = /^\s*(import \w|from [\w.]+ import |def \w+\()/m;

/**
 * Check 8: wording of a string that users read. In templates, each expression is replaced by `…`.
 */
export const stringHits = (text: string, line: number): Hit[] =>
	TWO_WORDS.test(text) && !PYTHON.test(text)
		? STRING_WORDS.filter(([pattern]) => pattern.test(text)).map(([, message]) => ({
				check: 'string' as const,
				line,
				message: `${message} In: ${JSON.stringify(text.length > 90 ? `${text.slice(0, 90)}…` : text)}`,
			}))
		: [];

/** Check 9: CHANGELOG.md has the form of Keep a Changelog, with one line for each change. */
export const changelogHits = (changelog: string): Hit[] => {
	const hits: Hit[] = [];
	const report = (line: number, message: string): unknown =>
		hits.push({check: 'changelog', line: line + 1, message});
	let isVersion = false;
	let isGroup = false;
	for (const [index, line] of changelog.split('\n').entries()) {
		if (line.length > 140) report(index, `Line of ${line.length} columns: at most 140.`);
		if (line.startsWith('## ')) {
			isVersion = true;
			isGroup = false;
		} else if (line.startsWith('### ')) {
			isGroup = /^### (Added|Changed|Deprecated|Removed|Fixed|Security)$/.test(line);
			if (!isGroup) report(index, 'Group by Added, Changed, Deprecated, Removed, Fixed or Security.');
		} else if (isVersion && line !== '') {
			if (!line.startsWith('- ')) report(index, 'Write one bullet on one line.');
			else if (!isGroup) report(index, 'Put the bullet under Added, Changed, Fixed, Removed or Security.');
		}
	}
	return hits;
};

const NOT_IMPERATIVE =
	/^(?!(embed|feed|need|seed|shed|speed|bring|ping|alias|bias|focus)$)\w+(ed|ing|[^su]s)$/i;

/** Check 10: reasons why a commit message is rejected. */
export const commitProblems = (message: string): readonly string[] => {
	const [subject = '', ...body] = message.split('\n');
	if (/^(Merge|Revert) /.test(subject)) return [];
	const [, verb = '', object = ''] = /^(?:[a-z][\w /-]*: )?(\S+) ?(\S*)/.exec(subject) ?? [];
	return [
		subject.length > 72 && `The subject has ${subject.length} characters: at most 72.`,
		/[.]$/.test(subject) && 'The subject ends with a full stop: leave it out.',
		/^(say|know|tell|let|look|hear)$/i.test(verb) &&
			`"${verb}" is not the change: find the verb (print, read, allow, detect).`,
		NOT_IMPERATIVE.test(verb) && `"${verb}" is not imperative: write "Fix", not "Fixes" or "Fixed".`,
		/^(what|that|how|whether|where|who|whoever|which)$/i.test(object) &&
			`"${object}" as the object: name the thing with a noun from the code.`,
		body[0] !== undefined && body[0] !== '' && 'Leave the second line empty.',
		body.some(line => line.length > 72 && line.trim().includes(' ')) && 'Wrap the body at 72 columns.',
	].filter(problem => problem !== false);
};
