import {spanWords} from '../../../text/clock.ts';
import {joinNames} from '../../../text/join-names.ts';
import {wrap} from '../../../text/width/wrap.ts';
import {keyRows} from '../../core/components/key-hint.ts';
import {QUESTION_WIDTH} from '../../core/dialogs/question.tsx';
import {DialogBox, lineWidth} from '../../core/dialogs/dialog-box.tsx';
import type {DialogProps} from '../../core/program.ts';
import type {KeyScope} from '../../core/keys/action.ts';
import {topDialog, route} from '../../core/store/route.ts';

export const retainKeys: KeyScope = {
	where: 'kernels to keep, when quitting',
	isDialog: true,
	actions: {
		keep: {
			keys: ['y', 'enter'],
			label: 'keep',
			hint: true,
			run: ({get}) => topDialog(get(), 'keep')?.decide(true),
		},
		end: {keys: ['n'], label: 'end', hint: true, run: ({get}) => topDialog(get(), 'keep')?.decide(false)},
		close: {keys: ['esc'], label: 'stay', run: ({get}) => route(get).closeDialog()},
	},
};

/** Asks when quitting whether to keep kernel variables. */
export const KeepDialog = ({names, span, stopCommand, body}: DialogProps<'keep'>) => {
	const width = lineWidth(body, QUESTION_WIDTH) - 4;
	return (
		<DialogBox
			title={`Keep kernel variables for ${spanWords(span)}?`}
			body={body}
			width={QUESTION_WIDTH}
			lines={[
				'',
				...wrap(
					`Code has run on ${joinNames(names)}. Its variables are kept as long as the local service runs; files are kept in any case. To stop it later: ${stopCommand}`,
					width,
				).map(line => `  ${line}`),
				'',
				...keyRows(width, ['keep.keep', 'keep'], ['keep.end', 'end'], ['keep.close', 'stay']).map(
					row => `  ${row}`,
				),
			]}
		/>
	);
};
