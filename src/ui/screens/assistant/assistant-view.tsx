import {Box} from 'ink';
import type {Turn} from '../../../store/assistant.ts';
import {label} from '../../../text/safe.ts';
import {cellWidth} from '../../../text/width.ts';
import {wrap} from '../../../text/wrap.ts';
import type {EditorLines} from '../../components/editor-lines.ts';
import {Rows} from '../../components/rows.tsx';
import {belowMark, windowOf} from '../../components/transcript.ts';
import {glyph} from '../../theme/glyphs.ts';
import {paint} from '../../theme/theme.ts';
import {turnLines} from './turn-lines.ts';

type Props = {
	readonly server: string;
	readonly model: string;
	readonly turns: readonly Turn[];
	readonly top: number | null;
	readonly editor: EditorLines;
	readonly answering: boolean;
	readonly focused: boolean;
	readonly width: number;
	readonly height: number;
};

const WELCOME = 'Ask about a file of this server by its name, about the last error, the installed packages, or about a name of Python such as json.loads.';

/** Questions and answers above, the field for the next question below. */
export const AssistantView = ({server, model, turns, top, editor, answering, focused, width, height}: Props) => {
	const room = Math.max(1, height - 2 - editor.lines.length);
	const {lines, below} = windowOf(turns.map(turn => turnLines(turn, width)), top, room);
	const mark = belowMark(below);
	const note = `${mark === '' ? '' : ` ${mark} `}${answering ? ` ${paint('busy', 'answering')} ` : ''}`;
	const title = ` ${paint(focused ? 'heading' : 'dim', 'Assistant')} ${paint('dim', '·')} ${label(server, 40)} ${paint('dim', `· ${label(model, 40)}`)}`;
	const rule = paint('dim', glyph.rule.repeat(2)) + note + paint('dim', glyph.rule.repeat(Math.max(0, width - 2 - cellWidth(note))));
	const filled = turns.length === 0 ? ['', ...wrap(WELCOME, width - 4).map(line => paint('dim', `   ${line}`))] : lines;
	return (
		<Box flexDirection="column">
			<Rows height={1} lines={[title]}/>
			<Rows height={room} lines={filled}/>
			<Rows height={1 + editor.lines.length} lines={[rule, ...editor.lines]}/>
		</Box>
	);
};
