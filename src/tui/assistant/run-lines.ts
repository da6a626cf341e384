import {outputOfCell} from '../cells/cell-text.ts';
import type {BlockRun} from './conversation.ts';
import {hasRaised, isPending, type Cell} from '../cells/cell.ts';
import {explainFailure} from '../core/store/remote.ts';
import {block, label} from '../../text/safe.ts';
import {cut} from '../../text/width/width.ts';
import {durationText} from '../core/components/age.ts';
import {glyph} from '../core/theme/glyphs.ts';
import {paint} from '../core/theme/theme.ts';

/** Lines of a cell's output below the answer; the REPL shows all. */
const SHOWN = 6;

const outcome = (cell: Cell): string => {
	if (isPending(cell))
		return cell.state === 'queued' ? 'waiting for the previous cell' : 'runs on this server';
	if (cell.failure !== null) return explainFailure(cell.failure).what;
	if (cell.state !== 'done') return cell.state === 'interrupted' ? 'interrupted' : 'given up';
	return cell.startedAt !== null && cell.endedAt !== null ? durationText(cell.endedAt - cell.startedAt) : '';
};

/**
 * Results of code blocks that were run: a line that names the cell, and the start of its output.
 */
export const runLines = (
	runs: readonly BlockRun[],
	cells: readonly Cell[],
	width: number,
): readonly string[] =>
	runs.flatMap(({cell: id}) => {
		const cell = cells.find(each => each.id === id);
		if (cell === undefined) return [`   ${paint('dim', `${glyph.leads} was already run here`)}`];
		const raised = hasRaised(cell);
		const name = `In [${cell.result?.execution_count ?? '*'}]`;
		const head = `   ${paint('accent', `${glyph.leads} ${name}`)}  ${paint(raised ? 'bad' : 'dim', `${raised ? 'raised, ' : ''}${label(outcome(cell), 300)}`)}`;
		const lines = outputOfCell(cell).replace(/\n$/, '').split('\n');
		const shown = raised ? lines.slice(-1) : lines.slice(0, SHOWN);
		const hidden = lines.length - shown.length;
		return [
			cut(head, width),
			...(lines.length === 1 && lines[0] === ''
				? []
				: shown.map(line => cut(`     ${block(line.slice(0, 1000))}`, width))),
			...(hidden > 0 ? [paint('dim', `     ${hidden} more line${hidden === 1 ? '' : 's'} in the REPL`)] : []),
		];
	});
