import type {Cell} from '../../../store/cells.ts';
import {durationText} from '../../components/age.ts';
import type {EditorLines} from '../../components/editor-lines.ts';
import {TranscriptPane} from '../../components/transcript-pane.tsx';
import {paint} from '../../theme/theme.ts';
import {cellLines} from './cell-lines.ts';

type Props = {
	readonly server: string;
	readonly cells: readonly Cell[];
	readonly top: number | null;
	readonly editor: EditorLines;
	/** Time of the running cell so far, in ms. */
	readonly elapsed: number | null;
	readonly focused: boolean;
	readonly width: number;
	readonly height: number;
};

const WELCOME = 'Type Python below and press Enter to run it. A block runs after an empty line; Alt-Enter or Ctrl-J always starts a new line.';

/** Cells above, the editor below a rule that says what runs. */
export const ReplView = ({cells, elapsed, width, ...pane}: Props) => {
	const queued = cells.filter(cell => cell.state === 'queued').length;
	const waiting = queued > 0 ? paint('dim', `, ${queued} waiting`) : '';
	const note = elapsed === null ? '' : ` ${paint('busy', `running ${durationText(elapsed)}`)}${waiting} `;
	return <TranscriptPane name="REPL" detail="Python" welcome={WELCOME} note={note} blocks={cells.map(cell => cellLines(cell, width))} width={width} {...pane}/>;
};
