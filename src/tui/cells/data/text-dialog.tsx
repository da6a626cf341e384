import {block, label} from '../../../text/safe.ts';
import {wrap} from '../../../text/width/wrap.ts';
import {DialogBox, lineWidth} from '../../core/dialogs/dialog-box.tsx';
import {BESIDE_MARK, readerKeys, scrolled} from '../../core/dialogs/scrolled.ts';
import {dialog} from '../../core/feature.ts';
import type {DialogProps, Rect} from '../../core/program.ts';
import {lastResult} from '../../core/store/last-result.ts';
import {VariablesDialog} from './variables-dialog.tsx';

const WIDTH = 110;

const rowsOf = lastResult((text: string, width: number): readonly string[] => wrap(block(text), width));
const linesOf = (text: string, isPart: boolean, body: Rect): readonly string[] => {
	const rows = rowsOf(text, lineWidth(body, WIDTH) - BESIDE_MARK);
	return isPart ? [...rows, '', 'The rest of this text is left out.'] : rows;
};

const TextDialog = ({name, type, text, isPart, top = 0, body}: DialogProps<'variable-text'>) => {
	const rows = linesOf(text, isPart, body);
	const view = scrolled(top, rows.length, body.height - 2);
	return (
		<>
			<VariablesDialog body={body} />
			<DialogBox
				title={`${label(name, 40)}: ${label(type, 40)}`}
				body={body}
				width={WIDTH}
				position={view.position}
				lines={view.rowsOf(rows, lineWidth(body, WIDTH))}
			/>
		</>
	);
};

/** Text of an object that is not a table. */
export const variableText = dialog({
	kind: 'variable-text',
	scope: 'reader',
	handlers: {
		reader: readerKeys('variable-text', ({text, isPart}, {rect}) => ({
			count: linesOf(text, isPart, rect).length,
			room: rect.height - 2,
		})),
	},
	Dialog: TextDialog,
});
