import {diffLines} from 'diff';

/** A line of a comparison; `skipped` stands for that many equal lines. */
export type LineChange =
	| {readonly kind: 'same' | 'added' | 'removed'; readonly text: string}
	| {readonly kind: 'skipped'; readonly count: number};

/** Equal lines that are kept on each side of a change. */
const CONTEXT = 3;
/** Milliseconds after which two texts count as wholly different. */
const PATIENCE = 500;

const linesOf = (text: string): readonly string[] => {
	const lines = text.split('\n');
	if (lines.at(-1) === '') lines.pop();
	return lines;
};

/** What changes from one text to the other, line by line, with a few equal lines around each change. Empty when they are equal. */
export const lineChanges = (before: string, after: string): readonly LineChange[] => {
	if (before === after) return [];
	const parts = diffLines(before, after, {timeout: PATIENCE})
		?? [{removed: true, added: false, value: before}, {removed: false, added: true, value: after}];
	const changes: LineChange[] = [];
	for (const [index, part] of parts.entries()) {
		const lines = linesOf(part.value);
		if (part.added || part.removed) {
			for (const text of lines) changes.push({kind: part.added ? 'added' : 'removed', text});
			continue;
		}
		const head = index === 0 ? 0 : CONTEXT;
		const tail = index === parts.length - 1 ? 0 : CONTEXT;
		const hidden = lines.length - head - tail;
		for (const [at, text] of lines.entries()) {
			if (hidden > 1 && at >= head && at < lines.length - tail) {
				if (at === head) changes.push({kind: 'skipped', count: hidden});
			} else {
				changes.push({kind: 'same', text});
			}
		}
	}
	return changes;
};
