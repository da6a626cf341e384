// Preview of a long notebook: its first cells, shown before the rest is parsed. Parsing the whole
// notebook takes longer than several frames.
import {exactIn} from '../../../text/exact-json.ts';
import {pythonJsonIn} from '../../../text/python-json.ts';
import {isRecord} from '../../../text/record.ts';
import {eachItem, firstValueIn} from '../../../text/json-scan.ts';
import {LONG_TEXT} from '../content.ts';
import {notebookOf, type Notebook} from '../../cells/rows/read-notebook.ts';

/** Maximum number of UTF-16 units and of cells in the preview. */
const MOST_UNITS = 300_000;
const MOST_CELLS = 150;

/**
 * The first cells of a long notebook. Null if the notebook is short, or if `cells` is not its first
 * field, because some programs sort the fields.
 */
export const firstCellsOf = (text: string): Notebook | null => {
	if (text.length <= LONG_TEXT) return null;
	const from = firstValueIn(text, 'cells');
	if (from === null || text[from] !== '[') return null;
	const cells: unknown[] = [];
	for (const span of eachItem(text, from)) {
		if (cells.length === MOST_CELLS || span.to > MOST_UNITS) break;
		const own = text.slice(span.from, span.to);
		const cell = exactIn(own) ?? pythonJsonIn(own);
		if (!isRecord(cell)) return null;
		cells.push(cell);
	}
	return cells.length === 0 ? null : {...notebookOf({cells}), isPart: true};
};
