import {CONTEXT_FILES} from '../../work/server-context.ts';
import type {Work} from './tasks.ts';
import {findNote, markingFound} from '../core/components/find-rows.ts';
import {belowMark, startOf} from '../core/components/transcript.ts';
import {TranscriptPane, type PaneProps} from '../core/components/transcript-pane.tsx';
import {isKeyAvailable} from '../core/keys/live-keys.ts';
import {paint} from '../core/theme/theme.ts';
import type {Conversation, Turn} from './conversation.ts';
import type {PlacedCode} from './transcript-blocks.ts';
import {withColours} from './use-code-colours.ts';

type Props = Omit<PaneProps, 'name' | 'welcome' | 'said' | 'marked' | 'highlight'> & {
	/** Of our own service, whose assistant is known. */
	readonly isLocal: boolean;
	/** The code boxes in view. */
	readonly codes: readonly PlacedCode[];
	/** What is looked for in it, and where that was found. */
	readonly looked: {readonly words: string; readonly at: Conversation['found']} | null;
	/** What the next message carries. */
	readonly meter: string;
	/** That an answer is under way; empty where none is. */
	readonly answering: string;
};

/** What every service's assistant can be asked, and what the one that is built into ours can look up besides. */
const ASKED = {
	any: 'Ask about your code or your data.',
	builtIn:
		'Ask about a file of this server by its name, about the last error, the installed packages, or about a name of Python such as json.loads.',
} as const;
const ATTACHED = '@ attaches a file or a cell, / lists commands.';

/** What is said of a task that goes on. */
export const workingText = ({looks, waits, asks, isStopping}: Work): string => {
	if (looks) return `looks for ${CONTEXT_FILES[0]} on the server first`;
	if (waits !== null) return 'waits for your permission';
	return asks ? 'waits for your answer' : isStopping ? 'stopping' : 'working';
};

/** What is said of an answer under way: until its first word, how long that takes. `now`: ms since the epoch. */
export const answeringText = (
	{askedAt, firstTextAt, reasoning}: Pick<Turn, 'askedAt' | 'firstTextAt' | 'reasoning'>,
	now: number,
): string => {
	const seconds = Math.floor((now - askedAt) / 1000);
	if (firstTextAt !== null || seconds < 1) return 'answering';
	return `answering · ${reasoning === '' ? 'nothing yet' : 'thinking'}, ${seconds} s`;
};

/** Questions and answers above, what the next message carries and the field for it below. */
export const AssistantView = ({isLocal, codes, looked, meter, answering, ...pane}: Props) => {
	const notes = (below: number): readonly string[] => [
		looked === null ? '' : findNote(looked.words, looked.at, 'turns'),
		belowMark(below, 'turns', looked !== null && pane.width < 90),
		answering === '' ? '' : paint('busy', answering),
		meter === '' ? '' : paint('dim', meter),
	];
	const said = (below: number): string => {
		const words = notes(below).filter(each => each !== '');
		return words.length === 0 ? '' : ` ${words.join(paint('dim', ' · '))} `;
	};
	const mark = looked?.at ? startOf(pane.blocks, looked.at.block) + looked.at.row : -1;
	const marking = looked === null ? undefined : markingFound(looked.words, mark);
	return (
		<TranscriptPane
			name="Assistant"
			welcome={
				isKeyAvailable('assistant.send')
					? `${ASKED[isLocal ? 'builtIn' : 'any']} ${ATTACHED}`
					: 'This profile is read-only: no question is sent.'
			}
			said={said}
			highlight={(rows, from) => {
				const coloured = withColours(rows, from, codes);
				return marking ? marking(coloured, from) : coloured;
			}}
			{...pane}
		/>
	);
};
