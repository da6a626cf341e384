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
	/** True for the local service, whose built-in assistant has known abilities. */
	readonly isLocal: boolean;
	readonly codes: readonly PlacedCode[];
	/** Search text, and its latest hit; null if there is no search to show. */
	readonly looked: {readonly words: string; readonly at: Conversation['found']} | null;
	/** Size of the next message. */
	readonly meter: string;
	/** Text about an answer in progress; empty without one. */
	readonly answering: string;
};

/** Hints in an empty pane: `builtIn` for the local service's assistant, `any` for all others. */
const ASKED = {
	any: 'Ask about your code or your data.',
	builtIn:
		'Ask about a file of this server by its name, about the last error, the installed packages, or about a name of Python such as json.loads.',
} as const;
const ATTACHED = '@ attaches a file or a cell, / lists commands.';

export const workingText = ({looks, waits, asks, isStopping}: Work): string => {
	if (looks) return `looks for ${CONTEXT_FILES[0]} on the server first`;
	if (waits !== null) return 'waits for your permission';
	return asks ? 'waits for your answer' : isStopping ? 'stopping' : 'working';
};

/**
 * Text about an answer in progress, with the time since the question until the first word arrives.
 * `now`: ms since the epoch.
 */
export const answeringText = (
	{askedAt, firstTextAt, reasoning}: Pick<Turn, 'askedAt' | 'firstTextAt' | 'reasoning'>,
	now: number,
): string => {
	const seconds = Math.floor((now - askedAt) / 1000);
	if (firstTextAt !== null || seconds < 1) return 'answering';
	return `answering · ${reasoning === '' ? 'nothing yet' : 'thinking'}, ${seconds} s`;
};

/** Questions and answers at the top; below, the size of the next message and its field. */
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
