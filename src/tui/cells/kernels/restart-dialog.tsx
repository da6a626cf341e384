import {userOf} from '../../../run/open-kernel.ts';
import {joinNames} from '../../../text/join-names.ts';
import type {DialogProps, State} from '../../core/program.ts';
import {label} from '../../../text/safe.ts';
import {wrap} from '../../../text/width/wrap.ts';
import {question, QuestionBox} from '../../core/dialogs/question.tsx';
import {useApp} from '../../core/store-context.ts';
import {paint} from '../../core/theme/theme.ts';
import {documentName, ownerOf, type KernelOwner} from './owner.ts';
import {kernelRestart} from './restart.ts';

/** Sentence about the cells that end with a kernel. Empty if no cell runs in it. */
export const useEndedCells = (ownerIn: (state: State) => KernelOwner): string => {
	const isRunning = useApp(state => ownerIn(state).running !== undefined);
	const queued = useApp(state => ownerIn(state).queued);
	const waiting =
		queued === 0
			? ''
			: queued === 1
				? '; the queued cell will not run'
				: `; the ${queued} queued cells will not run`;
	return isRunning ? `The running cell ends and keeps its output so far${waiting}.` : '';
};

const RestartDialog = ({server, document, runsAll, users = [], body}: DialogProps<'restart'>) => {
	const ends = useEndedCells(state => ownerOf(state.app, server, document));
	const others = [...new Set(users.map(userOf))];
	return (
		<QuestionBox
			title={`Restart the kernel of ${documentName(document)}${runsAll ? ', and run all cells' : ''}?`}
			body={body}
			text={width => [
				...wrap(`The kernel is ${label(document.kernel, 40)} on ${label(server, 40)}.`, width),
				...(others.length === 0
					? []
					: wrap(`It is shared with ${joinNames(others)}.`, width).map(line => paint('busy', line))),
				...wrap('Its variables and imports will be lost. Files and these cells are kept.', width),
				...(ends === '' ? [] : wrap(ends, width).map(line => paint('busy', line))),
			]}
			yes={runsAll ? 'restart and run all' : 'restart'}
		/>
	);
};

/** Asks before the kernel restarts. */
export const restart = question({
	kind: 'restart',
	onYes: (get, {server, document, runsAll}) =>
		void kernelRestart(get).restartKernel(server, {document, runsAll}),
	Dialog: RestartDialog,
});
