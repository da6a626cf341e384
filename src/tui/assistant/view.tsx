import {Box} from 'ink';
import {label} from '../../text/safe.ts';
import {cellWidth, cut} from '../../text/width/width.ts';
import {wrap} from '../../text/width/wrap.ts';
import type {EditorLines} from '../core/components/editor-lines.ts';
import {findNote, markFound} from '../core/components/find-rows.ts';
import {paneTitle} from '../core/components/pane-title.ts';
import {Rows} from '../core/components/rows.tsx';
import {belowMark, startOf, windowOf} from '../core/components/transcript.ts';
import {isOffered} from '../core/keys/live-keys.ts';
import {glyph} from '../core/theme/glyphs.ts';
import {paint} from '../core/theme/theme.ts';
import type {PlacedCode} from './transcript-blocks.ts';
import {withColours} from './use-code-colours.ts';

type Props = {
	readonly server: string;
	/** Of our own service, whose assistant is known. */
	readonly isLocal: boolean;
	/** Of the model that answers next, and what else stands in the title. */
	readonly detail: string;
	/** The conversation so far, oldest first, as rows. */
	readonly blocks: readonly (readonly string[])[];
	readonly top: number | null;
	/** The code boxes in view. */
	readonly codes: readonly PlacedCode[];
	/** What is looked for in it, and where that was found. */
	readonly looked: {
		readonly words: string;
		readonly at: {
			readonly block: number;
			readonly row: number;
			readonly number: number;
			readonly count: number;
		} | null;
	} | null;
	/** What the next message carries. */
	readonly tray: readonly string[];
	/** Of the conversation, what goes along with it. */
	readonly earlier: string;
	readonly editor: EditorLines;
	readonly answering: boolean;
	readonly focused: boolean;
	readonly width: number;
	readonly height: number;
};

/** What every service's assistant can be asked, and what the one that is built into ours can look up besides. */
const ASKED = {
	any: 'Ask about your code or your data.',
	builtIn:
		'Ask about a file of this server by its name, about the last error, the installed packages, or about a name of Python such as json.loads.',
} as const;
const ATTACHED = '@ attaches a file or a cell, / lists commands.';

/** Rows of the transcript: title, rule, tray and field come off. */
export const answersHeight = (height: number, trayRows: number, editorRows: number): number =>
	Math.max(1, height - 2 - trayRows - editorRows);

/** Questions and answers above, what the next message carries and the field for it below. */
export const AssistantView = ({
	server,
	isLocal,
	detail,
	blocks,
	top,
	codes,
	looked,
	tray,
	earlier,
	editor,
	answering,
	focused,
	width,
	height,
}: Props) => {
	const room = answersHeight(height, tray.length, editor.lines.length);
	const {from, lines, below} = windowOf(blocks, top, room);
	const title = paneTitle({name: 'Assistant', server, detail: label(detail, 80), focused, width});
	const shown = withColours(lines, from, codes);
	const current = looked?.at ? startOf(blocks, looked.at.block) + looked.at.row : -1;
	const dressed =
		looked === null
			? shown
			: shown.map((line, index) => markFound(line, looked.words, from + index === current));
	const notes = [
		looked === null ? '' : findNote(looked.words, looked.at, 'turns'),
		belowMark(below, looked !== null && width < 90),
		answering ? paint('busy', 'answering') : '',
		earlier === '' ? '' : paint('dim', earlier),
	].filter(each => each !== '');
	const said = cut(notes.length === 0 ? '' : ` ${notes.join(paint('dim', ' · '))} `, width - 4);
	const rule =
		paint('dim', glyph.rule.repeat(2)) +
		said +
		paint('dim', glyph.rule.repeat(Math.max(0, width - 2 - cellWidth(said))));
	return (
		<Box flexDirection="column">
			<Rows height={1} lines={[title]} />
			<Rows
				height={room}
				from={from}
				lines={
					blocks.length === 0
						? [
								'',
								...wrap(
									isOffered('assistant.send')
										? `${ASKED[isLocal ? 'builtIn' : 'any']} ${ATTACHED}`
										: 'This profile is read-only: no question is sent.',
									width - 4,
								).map(line => paint('dim', `   ${line}`)),
							]
						: dressed
				}
			/>
			<Rows height={1 + tray.length + editor.lines.length} lines={[rule, ...tray, ...editor.lines]} />
		</Box>
	);
};
