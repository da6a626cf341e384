import type {CellOutput} from '../../../contract/cells.ts';
import {withoutPrintedErrors} from '../../../text/output/printed-error.ts';
import {joinMultiline} from '../../../text/output/multiline.ts';

type Placed = {readonly source: CellOutput; readonly index: number};

/**
 * Outputs in the form that a notebook shows: consecutive text of a stream is joined, `clear_output`
 * removes all earlier outputs, and an error that the code has also printed is shown once.
 */
export const placedOutputs = (outputs: readonly CellOutput[]): readonly Placed[] => {
	let kept: Placed[] = [];
	let clearsNext = false;
	for (const [index, source] of outputs.entries()) {
		if (source.output_type === 'clear_output') {
			if (source['wait'] === true) clearsNext = true;
			else kept = [];
			continue;
		}
		if (clearsNext) kept = [];
		clearsNext = false;
		const last = kept.at(-1);
		if (
			source.output_type === 'stream' &&
			last?.source.output_type === 'stream' &&
			last.source['name'] === source['name']
		) {
			kept[kept.length - 1] = {
				index,
				source: {...last.source, text: joinMultiline(last.source['text']) + joinMultiline(source['text'])},
			};
		} else kept.push({source, index});
	}
	const shown = new Set(withoutPrintedErrors(kept.map(({source}) => source)));
	return kept.filter(({source}) => shown.has(source));
};
