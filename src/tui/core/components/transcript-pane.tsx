import {Box} from 'ink';
import {label} from '../../../text/safe.ts';
import {slice} from '../../../text/width/width.ts';
import {wrap} from '../../../text/width/wrap.ts';
import {glyph} from '../theme/glyphs.ts';
import {paint} from '../theme/theme.ts';
import type {EditorLines} from './editor-lines.ts';
import {paneRule, paneTitle, roomOfRule} from './pane-title.ts';
import {scrollText, withScrollMark} from './position.ts';
import {Rows} from './rows.tsx';
import {windowOf} from './transcript.ts';

export type PaneProps = {
	readonly name: string;
	readonly server: string;
	/** Stands after the server's name. */
	readonly detail: string;
	/** What happened so far, oldest first, as rows. */
	readonly blocks: readonly (readonly string[])[];
	/** Shown while there are no blocks. */
	readonly welcome: string;
	/** First row in view; null follows the end. */
	readonly top: number | null;
	/** Stands in the rule above the editor, in so many cells; `below`: rows that are not in view there. */
	readonly said: (below: number, room: number) => string;
	/** Rows above the editor. */
	readonly tray?: readonly string[];
	readonly editor: EditorLines;
	/** Rows that stand over the last ones of the transcript, which does not move for them. */
	readonly over?: readonly string[];
	/** Block under the reader's cursor. */
	readonly marked?: number | undefined;
	/** What the rows in view are shown as; `from` is the number of the first among all. */
	readonly highlight?: ((rows: readonly string[], from: number) => readonly string[]) | undefined;
	readonly focused: boolean;
	readonly width: number;
	readonly height: number;
};

/** Rows of the transcript in a pane of this height with so many rows below its rule; title and rule come off. */
export const transcriptHeight = (height: number, editorRows: number): number =>
	Math.max(1, height - 2 - editorRows);

/** Rows begin with a space, which is where the mark stands. */
const markedRow = (row: string, isMarked: boolean, width: number): string =>
	isMarked && row !== '' ? paint('accent', glyph.answer) + slice(row, 1, width - 1) : row;

/** A pane that one writes into at its foot and reads above. */
export const TranscriptPane = ({
	name,
	server,
	detail,
	blocks,
	welcome,
	top,
	said,
	tray = [],
	editor,
	over = [],
	marked,
	highlight = rows => rows,
	focused,
	width,
	height,
}: PaneProps) => {
	const room = transcriptHeight(height, tray.length + editor.lines.length);
	const {lines, from, owners, below} = windowOf(blocks, top, room);
	const count = from + lines.length + below;
	const position = scrollText(from, room, count);
	const title = paneTitle({name, server, detail: label(detail, 80), focused, width});
	const filled =
		blocks.length === 0
			? ['', ...wrap(welcome, width - 4).map(line => paint('dim', `   ${line}`))]
			: withScrollMark(
					highlight(lines, from).map((line, row) => markedRow(line, owners[row] === marked, width)),
					{from, height: room, count, width},
				);
	const under = Math.max(0, room - over.length);
	const shown =
		over.length === 0 ? filled : [...Array.from({length: under}, (_, row) => filled[row] ?? ''), ...over];
	return (
		<Box flexDirection="column">
			<Rows height={1} lines={[title]} />
			<Rows height={room} from={from} lines={shown} />
			<Rows
				height={1 + tray.length + editor.lines.length}
				lines={[
					paneRule(said(below, roomOfRule(width, position)), width, position),
					...tray,
					...editor.lines,
				]}
			/>
		</Box>
	);
};
