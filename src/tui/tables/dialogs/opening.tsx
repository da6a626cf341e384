import {label} from '../../../text/safe.ts';
import {wrap} from '../../../text/width/wrap.ts';
import {DialogBox, lineWidth} from '../../core/dialogs/dialog-box.tsx';
import {QUESTION_WIDTH} from '../../core/dialogs/question.tsx';
import type {DialogProps} from '../../core/program.ts';
import {paint} from '../../core/theme/theme.ts';

/** Dialog that is open until a table has loaded, with the reason for the wait. */
export const OpeningDialog = ({name, waitsFor, body}: DialogProps<'table-opening'>) => (
	<DialogBox
		title={`Open ${label(name, 60)}`}
		body={body}
		width={QUESTION_WIDTH}
		lines={wrap(waitsFor ?? 'Reading its rows …', lineWidth(body, QUESTION_WIDTH)).map(line =>
			paint('busy', line),
		)}
	/>
);
