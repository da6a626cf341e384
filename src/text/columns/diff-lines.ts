// Differences between two texts. Loaded on demand, when the first difference is shown.
import {structuredPatch} from 'diff';

/**
 * Line of a difference. `at`: position of the changed lines that follow. `note`: a remark. Other
 * kinds: the line as it is in the text.
 */
export type DiffLine = {readonly kind: 'same' | 'added' | 'removed' | 'at' | 'note'; readonly text: string};

/** Maximum number of changed lines. A longer difference takes too long to compute. */
const MOST_EDITS = 4000;
const LONGEST_MS = 1500;

const KINDS = {' ': 'same', '+': 'added', '-': 'removed', '\\': 'note'} as const;

const TOO_MUCH = 'Too many changes to show';

/** False if the changes were too many, so that the difference omits them. */
export const isWhole = (rows: readonly DiffLine[]): boolean =>
	!rows.some(({kind, text}) => kind === 'note' && text.startsWith(TOO_MUCH));

/**
 * Changed lines with three lines of context. A line whose only change is its line end counts as
 * changed.
 */
export const diffLines = (before: string, after: string): readonly DiffLine[] => {
	if (before === after) return [{kind: 'note', text: 'No differences.'}];
	const patch = structuredPatch('', '', before, after, '', '', {
		context: 3,
		maxEditLength: MOST_EDITS,
		timeout: LONGEST_MS,
	});
	const lengths = `${before.split('\n').length} lines before, ${after.split('\n').length} after`;
	if (patch === undefined) return [{kind: 'note', text: `${TOO_MUCH}: ${lengths}.`}];
	return patch.hunks.flatMap(({oldStart, newStart, newLines, lines}): DiffLine[] => [
		{kind: 'at', text: newLines === 0 ? `line ${oldStart}` : `line ${newStart}`},
		...lines.map((line): DiffLine => ({
			kind: KINDS[line.charAt(0) as keyof typeof KINDS] ?? 'note',
			text: line.startsWith('\\') ? 'no newline at the end' : line.slice(1),
		})),
	]);
};
