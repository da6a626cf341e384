import type {DialogProps} from '../../core/program.ts';
import {label} from '../../../text/safe.ts';
import {wrap} from '../../../text/width/wrap.ts';
import {question, QuestionBox} from '../../core/dialogs/question.tsx';
import {useApp} from '../../core/store-context.ts';
import {paint} from '../../core/theme/theme.ts';
import {kernelOwner} from './owner.ts';
import {kernelRestart} from './restart.ts';

/** Sentence about the cells that end with a kernel. Empty if no cell runs in it. */
export const useEndedCells = (server: string): string => {
	const isRunning = useApp(state => kernelOwner(state.app, server).running !== undefined);
	const queued = useApp(state => kernelOwner(state.app, server).queued);
	const waiting =
		queued === 0
			? ''
			: queued === 1
				? '; the one that waits will not run'
				: `; the ${queued} that wait will not run`;
	return isRunning ? `The running cell ends and keeps its output so far${waiting}.` : '';
};

const RestartDialog = ({server, body}: DialogProps<'restart'>) => {
	const ends = useEndedCells(server);
	return (
		<QuestionBox
			title={`Restart the kernel of ${label(server, 30)}?`}
			body={body}
			text={width => [
				...wrap('Its variables and imports will be lost. Files and these cells are kept.', width),
				...(ends === '' ? [] : wrap(ends, width).map(line => paint('busy', line))),
			]}
			yes="restart"
		/>
	);
};

/** Asks before the kernel restarts. */
export const restart = question({
	kind: 'restart',
	onYes: (get, {server}) => void kernelRestart(get).restartKernel(server),
	Dialog: RestartDialog,
});
