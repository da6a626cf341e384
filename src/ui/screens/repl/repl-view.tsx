import {Box} from 'ink';
import type {Cell} from '../../../store/cells.ts';
import {label} from '../../../text/safe.ts';
import {cellWidth} from '../../../text/width.ts';
import {wrap} from '../../../text/wrap.ts';
import {durationText} from '../../components/age.ts';
import type {EditorLines} from '../../components/editor-lines.ts';
import {Rows} from '../../components/rows.tsx';
import {belowMark, windowOf} from '../../components/transcript.ts';
import {glyph} from '../../theme/glyphs.ts';
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

/** Rows of the transcript for a pane of this height with an editor of so many rows: title and rule come off. */
export const transcriptHeight = (height: number, editorRows: number): number => Math.max(1, height - 2 - editorRows);

const WELCOME = 'Type Python below and press Enter to run it. A block runs after an empty line; Alt-Enter or Ctrl-J always starts a new line.';

/** Cells above, the editor below a rule that says what runs. */
export const ReplView = ({server, cells, top, editor, elapsed, focused, width, height}: Props) => {
	const room = transcriptHeight(height, editor.lines.length);
	const {lines, below} = windowOf(cells.map(cell => cellLines(cell, width)), top, room);
	const queued = cells.filter(cell => cell.state === 'queued').length;
	const state = elapsed === null ? '' : ` ${paint('busy', `running ${durationText(elapsed)}`)}${queued > 0 ? paint('dim', `, ${queued} waiting`) : ''} `;
	const mark = belowMark(below);
	const note = mark === '' ? state : ` ${mark} ${state}`;
	const title = ` ${paint(focused ? 'heading' : 'dim', 'REPL')} ${paint('dim', '·')} ${label(server, 40)} ${paint('dim', '· Python')}`;
	const rule = paint('dim', glyph.rule.repeat(2)) + note + paint('dim', glyph.rule.repeat(Math.max(0, width - 2 - cellWidth(note))));
	const filled = cells.length === 0 ? ['', ...wrap(WELCOME, width - 4).map(line => paint('dim', `   ${line}`))] : lines;
	return (
		<Box flexDirection="column">
			<Rows height={1} lines={[title]}/>
			<Rows height={room} lines={filled}/>
			<Rows height={1 + editor.lines.length} lines={[rule, ...editor.lines]}/>
		</Box>
	);
};
