import {spanWords} from '../../../text/clock.ts';
import {listed} from '../../../text/listed.ts';
import {wrap} from '../../../text/width/wrap.ts';
import {keyRows} from '../../core/components/key-hint.ts';
import {DialogBox, lineWidth} from '../../core/dialogs/dialog-box.tsx';
import type {DialogProps} from '../../core/program.ts';
import type {KeyHandlers} from '../../core/room.ts';
import {topDialog} from '../../core/store/route.ts';

const WIDTH = 72;

export const keepKeys: KeyHandlers<'keep'> = ({get}) => ({
	keep: () => topDialog(get(), 'keep')?.decide(true),
	end: () => topDialog(get(), 'keep')?.decide(false),
	close: () => get().closeDialog(),
});

/** Asks on leaving whether what code made is to be kept. */
export const KeepDialog = ({names, span, body}: DialogProps<'keep'>) => {
	const width = lineWidth(body, WIDTH) - 4;
	return (
		<DialogBox
			title={`Keep what the code made for ${spanWords(span)}?`}
			body={body}
			width={WIDTH}
			lines={[
				'',
				...wrap(
					`Code has run on ${listed(names)}, and its names live as long as the local service does. Files stay in any case; svc-tui local stop ends it later.`,
					width,
				).map(line => `  ${line}`),
				'',
				...keyRows(width, ['keep.keep', 'keep'], ['keep.end', 'end'], ['keep.close', 'go on here']).map(
					row => `  ${row}`,
				),
			]}
		/>
	);
};
