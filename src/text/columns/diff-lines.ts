// What changed between two texts. Imported when the first difference is to be shown.
import {structuredPatch} from 'diff';

/** A line of a difference: `at` stands above lines that belong together. Its text is as it came. */
export type DiffLine = {readonly kind: 'same' | 'added' | 'removed' | 'at' | 'note'; readonly text: string};

/** Lines that differ; beyond that it takes longer than anybody reads. */
const MOST_EDITS = 4000;
const LONGEST_MS = 1500;

const KINDS = {' ': 'same', '+': 'added', '-': 'removed', '\\': 'note'} as const;

const TOO_MUCH = 'Too much has changed to be shown';

/** False if a difference leaves out what has changed. */
export const isWhole = (rows: readonly DiffLine[]): boolean =>
	!rows.some(({kind, text}) => kind === 'note' && text.startsWith(TOO_MUCH));

/** The changed lines with three around them. Line ends are shown where they differ. */
export const diffLines = (before: string, after: string): readonly DiffLine[] => {
	if (before === after) return [{kind: 'note', text: 'There is no difference.'}];
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
