import type {Turn} from '../../../store/assistant.ts';
import type {EditorLines} from '../../components/editor-lines.ts';
import {TranscriptPane} from '../../components/transcript-pane.tsx';
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
export const AssistantView = ({model, turns, answering, width, ...pane}: Props) => (
	<TranscriptPane name="Assistant" detail={model} welcome={WELCOME} note={answering ? ` ${paint('busy', 'answering')} ` : ''}
		blocks={turns.map(turn => turnLines(turn, width))} width={width} {...pane}/>
);
