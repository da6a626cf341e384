// Finds sentences on a screen that break off between two words without a `…`. On a wider screen
// such a sentence is longer, and here it continues neither to the right nor below.
import {partsOf, shownRows} from './cut-words.ts';
import {boxOf} from './invariants.ts';

type Frame = {readonly path: string; readonly columns: number; readonly lines: readonly string[]};

/** Rows that have short forms on narrow screens: the tabs, the summary above a list, the footer. */
const SHORT_FORMS = [0, 2, -1];

/** The text of each row; if a dialog is open, only the text in the dialog. */
const bodyOf = ({lines}: Frame): readonly (readonly string[])[] => {
	const {top = 0, bottom = lines.length} = boxOf(lines) ?? {};
	return shownRows(lines).map((line, row) =>
		row < top || row >= bottom || SHORT_FORMS.some(at => lines.at(at) === line) ? [] : partsOf(line),
	);
};

/** The first word of a continued line, after its mark. */
const firstWord = (text: string): string => (text.replace(/^↪ /, '').split(' ')[0] ?? '').replace('…', '');

/**
 * True if the rows below continue the sentence. Text that scrolls may break off anywhere in its
 * last row, and above the row that says so.
 */
const goesOn = (rest: string, below: readonly string[] | undefined): boolean =>
	below === undefined ||
	below.length === 0 ||
	below.some(text => text.startsWith('↓ ')) ||
	below.map(firstWord).some(word => firstWord(rest).startsWith(word) || word.startsWith(firstWord(rest)));

/** Starts of sentences that do not continue, each with its frame. */
export const brokenOff = (frames: readonly Frame[]): readonly string[] => {
	const scenes = Map.groupBy(
		frames.map(frame => ({...frame, body: bodyOf(frame)})),
		({path}) => path.replace(/-\d+x\d+\.txt$/, ''),
	);
	return [...scenes.values()].flatMap(sizes =>
		sizes.flatMap(({path, columns, body}) => {
			const wider = sizes.filter(other => other.columns > columns).flatMap(other => other.body.flat());
			const isBroken = (text: string, row: number): boolean => {
				if (text.endsWith('…') || !text.includes(' ') || wider.includes(text)) return false;
				const rests = wider
					.filter(long => long.startsWith(`${text} `))
					.map(long => long.slice(text.length + 1));
				return rests.length > 0 && !rests.some(rest => goesOn(rest, body[row + 1]));
			};
			return body.flatMap((parts, row) =>
				parts.filter(text => isBroken(text, row)).map(text => `${path}:${row + 1}: ${text}`),
			);
		}),
	);
};
