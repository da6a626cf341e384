// Reasons for which an assistant's answer ended, and stream lines that its text does not contain.

/**
 * `whole`: the answer is complete, or the service gave no reason. `other`: any other reason, such
 * as `tool-calls`.
 */
export type AnswerEnd = 'whole' | 'length' | 'content-filter' | 'error' | 'other';

const ENDS: readonly (readonly [AnswerEnd, RegExp])[] = [
	['whole', /^(|stop|stopped|stop-sequence|end|end-turn|eos|eos-token|complete|completed|done|unknown)$/],
	['length', /^(length|max-length|max-tokens|max-output-tokens|model-length|token-limit)$/],
	[
		'content-filter',
		/^(content-filter|content-filtered|filtered|safety|refusal|prohibited-content|blocklist)$/,
	],
	['error', /^(error|errored|failed|failure)$/],
];

/**
 * Classifies a finish reason. Services differ in letter case and separators: `MAX_TOKENS`,
 * `contentFilter`.
 */
export const answerEnd = (finishReason: string | null): AnswerEnd => {
	const reason = (finishReason ?? '')
		.trim()
		.replaceAll(/([a-z])([A-Z])/g, '$1-$2')
		.replaceAll(/[\s_]+/g, '-')
		.toLowerCase();
	return ENDS.find(([, pattern]) => pattern.test(reason))?.[0] ?? 'other';
};

/**
 * Sentence that says why a fully received answer is incomplete. Empty if the answer is complete.
 * May contain unescaped text of the service.
 */
export const answerEndText = (finishReason: string | null): string => {
	switch (answerEnd(finishReason)) {
		case 'length':
			return 'The answer was cut off at its length limit. Ask for the rest, or for a shorter answer.';
		case 'content-filter':
			return 'A content filter ended the answer: the rest is withheld.';
		case 'other':
			return `The answer ended with finishReason ${JSON.stringify(finishReason)}.`;
		case 'error':
			return 'The assistant reported an error at the end of its answer.';
		case 'whole':
			return '';
	}
};

/** Line types of the AI SDK's data stream that the service's API does not define. */
const KINDS: Readonly<Record<string, string>> = {
	2: 'data',
	8: 'annotations',
	9: 'tool call',
	a: 'tool result',
	b: 'tool call',
	c: 'tool call',
	h: 'source',
	i: 'hidden reasoning',
	j: 'signature',
	k: 'file',
};
const MOST_KINDS = 8;

/**
 * Sentence that counts the stream lines that the answer's text does not contain. Empty if there are
 * none.
 */
export const leftOutText = ({
	skipped,
	bad,
}: {
	readonly skipped: Readonly<Record<string, number>>;
	readonly bad: number;
}): string => {
	const counted = (count: number): string => `${count} ${count === 1 ? 'line' : 'lines'}`;
	const kinds = Object.entries(skipped).map(
		([code, count]) =>
			`${counted(count)} of kind ${code}${KINDS[code] === undefined ? '' : ` (${KINDS[code]})`}`,
	);
	const parts = [
		...kinds.slice(0, MOST_KINDS),
		...(kinds.length > MOST_KINDS ? [`${kinds.length - MOST_KINDS} more kinds`] : []),
		...(bad > 0 ? [`${counted(bad)} that could not be read`] : []),
	];
	return parts.length === 0 ? '' : `Not in the text: ${parts.join(', ')}.`;
};
