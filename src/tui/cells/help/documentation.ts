import {output} from '../../../text/safe.ts';
import {wrap} from '../../../text/width/wrap.ts';
import {paneRule} from '../../core/components/pane-title.ts';
import {scrollText} from '../../core/components/position.ts';
import {clamp} from '../../core/components/scroll.ts';
import {lastResult} from '../../core/store/last-result.ts';

/** A kernel's documentation of a name, in the kernel's colours. */
export type Documentation = {
	/** The documented name, as typed. */
	readonly name: string;
	readonly text: string;
	/** True if the text includes the source. */
	readonly hasSource: boolean;
	/** First visible line. */
	readonly top: number;
};

const MOST = 14;

const linesOf = lastResult((text: string, width: number): readonly string[] => {
	const lines = output(text).text.split('\n');
	while (lines.length > 1 && lines.at(-1)?.trim() === '') lines.pop();
	return lines.flatMap(line => wrap(line, Math.max(4, width - 2)));
});

/**
 * Number of visible lines, without the rule above them, in a transcript with `rows` rows. Some
 * cells stay visible.
 */
const pageIn = (count: number, rows: number): number =>
	Math.max(0, Math.min(MOST, count, Math.max(rows - 1 - Math.floor(rows / 3), 2), rows - 1));

/** The documentation after scrolling by pages, in a transcript with this number of rows. */
export const pagedDocumentation = <Shown extends Documentation>(
	shown: Shown,
	pages: number,
	width: number,
	rows: number,
): Shown => {
	const count = linesOf(shown.text, width).length;
	const page = pageIn(count, rows);
	return {...shown, top: clamp(shown.top + pages * Math.max(1, page - 1), 0, Math.max(0, count - page))};
};

/** The documentation with the rule above it, as rows that cover the end of a transcript. */
export const documentationRows = (shown: Documentation, width: number, rows: number): readonly string[] => {
	const lines = linesOf(shown.text, width);
	const page = pageIn(lines.length, rows);
	if (page === 0) return [];
	// The pane may have grown since the user scrolled.
	const top = clamp(shown.top, 0, lines.length - page);
	return [
		paneRule(` ${shown.hasSource ? 'source' : 'documentation'} `, width, scrollText(top, page, lines.length)),
		...lines.slice(top, top + page).map(line => ` ${line}`),
	];
};
