import {withChips} from '../../text/output/paste-folds.ts';
import {editorLines, type EditorLines} from '../core/components/editor-lines.ts';
import {markdownEngine, type MarkdownEngine} from '../core/components/markdown.ts';
import {windowOf} from '../core/components/transcript.ts';
import {showKey} from '../core/frame/footer.ts';
import {keyFor, keyOf} from '../core/keys/live-keys.ts';
import type {Rect, State} from '../core/program.ts';
import {glyph} from '../core/theme/glyphs.ts';
import {paint} from '../core/theme/theme.ts';
import {replOf} from '../repl/transcript.ts';
import type {Cell} from '../cells/cell.ts';
import type {Conversation} from './conversations.ts';
import {queuedLines} from './queue.ts';
import {suggestionsIn, type Suggestions} from './suggest.ts';
import {transcriptOf, type Transcript} from './transcript-blocks.ts';
import {trayLines} from './message-context-lines.ts';
import {transcriptHeight} from '../core/components/transcript-pane.tsx';
import {conversationOf} from './conversation.ts';
import {label} from '../../text/safe.ts';
import {cellWidth, cut, fit} from '../../text/width/width.ts';
import {windowAround} from '../core/components/scroll.ts';

/** Number of suggestions visible at once. */
const HEIGHT = 6;
/** Minimum number of rows without suggestions: title, a row of the conversation, rule and field. */
const LEAST_ROWS = 4;

/** Suggestions for the text at the cursor, as rows of `width` cells. */
export const suggestLines = (
	found: Suggestions | null,
	width: number,
	height: number = HEIGHT,
): readonly string[] => {
	if (found === null) return [];
	const most = Math.max(1, Math.min(HEIGHT, height));
	const from = windowAround(found.at, Math.min(most, found.choices.length), found.choices.length);
	return found.choices.slice(from, from + most).map(({insert, note}, index) => {
		const right = cut(label(note, 120), Math.floor(width / 2));
		const row = `   ${fit(label(insert, 200), Math.max(8, width - 6 - cellWidth(right)))} ${paint('dim', right)}`;
		return from + index === found.at
			? paint(
					'selected',
					fit(`   ${fit(label(insert, 200), Math.max(8, width - 6 - cellWidth(right)))} ${right}`, width),
				)
			: row;
	});
};

const PROMPT = ` ${glyph.prompt} `;

/** Data of the pane, and whether it has focus. */
type Shown = {
	readonly conversation: Conversation;
	readonly cells: readonly Cell[];
	readonly kernel: string;
	readonly suggestions: Suggestions | null;
	readonly engine: MarkdownEngine | undefined;
	readonly hasKeys: boolean;
	/** True if the pane's field has focus. */
	readonly isTyping: boolean;
};

type Layout = {
	readonly transcript: Transcript;
	/** Rows above the field: suggestions, queued message, context of the next message. */
	readonly tray: readonly string[];
	readonly editor: EditorLines;
	/**
	 * `room`: number of visible transcript rows. `last`: largest index of the first visible row.
	 */
	readonly room: number;
	readonly last: number;
};

export const layoutAssistant = (
	state: Pick<State, 'rebound' | 'models'>,
	{conversation, cells, kernel, suggestions, engine, hasKeys, isTyping}: Shown,
	{width, height}: Rect,
): Layout => {
	const key = (action: 'copyBlock' | 'runBlock' | 'writeBlock' | 'putBlock', words: string): string =>
		`${paint('accent', showKey(keyOf(state, 'turns', action)))} ${paint('dim', words)}`;
	// While the user types, these keys insert letters, so the hint names Esc first.
	const keysOf = (canRun: boolean): string =>
		hasKeys
			? `${isTyping ? paint('dim', `${keyFor('assistant.leave')}, then `) : ''}${[
					key('copyBlock', 'copy'),
					...(canRun ? [key('runBlock', 'run')] : []),
					key('writeBlock', 'write'),
					...(canRun ? [key('putBlock', 'to REPL')] : []),
				].join('   ')}`
			: '';
	const transcript = transcriptOf(conversation, {
		width,
		engine,
		raw: conversation.raw,
		showsThinking: conversation.showsThinking,
		models: state.models,
		cells,
		keys: keysOf(true),
		keysOfOther: keysOf(false),
		kernel,
	});
	const tray = [
		...suggestLines(suggestions, width, height - LEAST_ROWS),
		...queuedLines(conversation, width),
		...trayLines(conversation, width, showKey(keyOf(state, 'assistant', 'tray'))),
	];
	const editor = editorLines(
		{...conversation.draft, ...withChips(conversation.draft, conversation.folds)},
		{width, height: Math.max(1, Math.floor(height * 0.4)), prompt: PROMPT, more: '   ', active: isTyping},
	);
	const room = transcriptHeight(height, tray.length + editor.lines.length);
	return {transcript, tray, editor, room, last: windowOf(transcript.blocks, null, room).last};
};

/** Current layout of a server's pane, for keys. */
export const layoutNow = (state: State, server: string, rect: Rect): Layout => {
	const {cells, kernel} = replOf(state, server);
	const isTyping = state.paneFocus.assistant === 'assistant';
	return layoutAssistant(
		state,
		{
			conversation: conversationOf(state, server),
			cells,
			kernel,
			suggestions: isTyping ? suggestionsIn(state, server) : null,
			engine: markdownEngine(),
			hasKeys: true,
			isTyping,
		},
		rect,
	);
};
