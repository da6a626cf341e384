import type {DialogProps} from '../../core/program.ts';
import {label} from '../../../text/safe.ts';
import {wrap} from '../../../text/width/wrap.ts';
import {keyHints} from '../../core/components/key-hint.ts';
import {DialogBox} from '../../core/dialogs/dialog-box.tsx';
import type {KeyHandlers} from '../../core/room.ts';
import {useApp} from '../../core/store-context.ts';
import {topDialog} from '../../core/store/route.ts';
import {paint} from '../../core/theme/theme.ts';
import {queuedCells, replOf, runningCell} from '../cell.ts';

const WIDTH = 70;

export const restarting: KeyHandlers<'confirm'> = ({get}) => ({
	yes() {
		const server = topDialog(get(), 'restart')?.server;
		get().closeDialog();
		if (server !== undefined) void get().restartKernel(server);
	},
	no: () => get().closeDialog(),
});

/** What a restart ends besides the names; empty when nothing runs. */
export const endsToo = (isRunning: boolean, queued: number): string => {
	const waiting =
		queued === 0
			? ''
			: queued === 1
				? 'the one that waits is not run'
				: `the ${queued} that wait are not run`;
	if (!isRunning) return '';
	return `The cell that runs ends, with what it gave so far${waiting === '' ? '' : `; ${waiting}`}.`;
};

/** Asks before the kernel begins anew. */
export const RestartDialog = ({server, body}: DialogProps<'restart'>) => {
	const repl = useApp(state => replOf(state, server));
	const width = Math.min(WIDTH, body.width - 4) - 4;
	const ends = endsToo(runningCell(repl) !== undefined, queuedCells(repl));
	return (
		<DialogBox
			title={`Restart the kernel of ${label(server, 30)}?`}
			body={body}
			width={WIDTH}
			lines={[
				'',
				...wrap('Its variables and imports are gone then. Files and these cells are kept.', width),
				...wrap(ends, width).map(line => paint('busy', line)),
				...(ends === '' ? [] : ['']),
				keyHints(['confirm.yes', 'restart'], ['confirm.no', 'leave it']),
			]}
		/>
	);
};
