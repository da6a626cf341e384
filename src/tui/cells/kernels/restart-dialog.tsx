import type {DialogProps} from '../../core/program.ts';
import {label} from '../../../text/safe.ts';
import {wrap} from '../../../text/width/wrap.ts';
import {question, QuestionBox} from '../../core/dialogs/question.tsx';
import {useApp} from '../../core/store-context.ts';
import {paint} from '../../core/theme/theme.ts';
import {queuedCells, runningCell} from '../cell.ts';
import {replOf} from '../../repl/transcript.ts';
import {kernelRestart} from './restart.ts';

/** What a restart ends besides the names; empty when nothing runs. */
export const restartEffects = (isRunning: boolean, queued: number): string => {
	const waiting =
		queued === 0
			? ''
			: queued === 1
				? 'the one that waits will not run'
				: `the ${queued} that wait will not run`;
	if (!isRunning) return '';
	return `The running cell ends and keeps its output so far${waiting === '' ? '' : `; ${waiting}`}.`;
};

const RestartDialog = ({server, body}: DialogProps<'restart'>) => {
	const repl = useApp(state => replOf(state, server));
	const ends = restartEffects(runningCell(repl) !== undefined, queuedCells(repl));
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

/** Asks before the kernel begins anew. */
export const restart = question({
	kind: 'restart',
	onYes: (get, {server}) => void kernelRestart(get).restartKernel(server),
	Dialog: RestartDialog,
});
