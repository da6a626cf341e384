import {Box} from 'ink';
import {label} from '../../../text/safe.ts';
import {cellWidth, slice} from '../../../text/width/width.ts';
import {wrap} from '../../../text/width/wrap.ts';
import {glyph} from '../theme/glyphs.ts';
import {paint} from '../theme/theme.ts';
import type {EditorLines} from './editor-lines.ts';
import {AROUND_TITLE, paneRule, paneTitle, roomOfRule, titleRule} from './pane-title.ts';
import {scrollText, withScrollMark} from './position.ts';
import {Rows} from './rows.tsx';
import {windowOf} from './transcript.ts';

export type PaneProps = {
	readonly name: string;
	readonly server: string;
	/** Text after the server's name. */
	readonly detail: string;
	/** Text at the end of the title, if there is room. */
	readonly right?: string;
	/** Earlier content as rows, oldest first. */
	readonly blocks: readonly (readonly string[])[];
	/** Shown while there are no blocks. */
	readonly welcome: string;
	/** First visible row; null follows the end. */
	readonly top: number | null;
	/** Text of the rule above the editor, at most `room` cells wide; `below`: rows hidden below. */
	readonly said: (below: number, room: number) => string;
	/** Rows above the editor. */
	readonly tray?: readonly string[];
	readonly editor: EditorLines;
	/** Rows that cover the end of the transcript, which does not scroll for them. */
	readonly over?: readonly string[];
	/** Index of the selected block. */
	readonly marked?: number | undefined;
	/** Highlights the visible rows. `from`: index of the first of them among all rows. */
	readonly highlight?: ((rows: readonly string[], from: number) => readonly string[]) | undefined;
	readonly focused: boolean;
	/** 1 if a divider follows, in which the scroll mark is drawn. */
	readonly edge?: 0 | 1 | undefined;
	readonly width: number;
	readonly height: number;
};

/**
 * Number of transcript rows in a pane of `height` rows: without the title, the rule, and the
 * `editorRows` below the rule.
 */
export const transcriptHeight = (height: number, editorRows: number): number =>
	Math.max(1, height - 2 - editorRows);

/** Rows start with a space, which the mark replaces. */
const markedRow = (row: string, isMarked: boolean, width: number): string =>
	isMarked && row !== '' ? paint('accent', glyph.answer) + slice(row, 1, width - 1) : row;

/** A pane with an editor at its foot and its content above. */
export const TranscriptPane = ({
	name,
	server,
	detail,
	right = '',
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
	edge = 0,
	width,
	height,
}: PaneProps) => {
	const room = transcriptHeight(height, tray.length + editor.lines.length);
	const {lines, from, owners, below} = windowOf(blocks, top, room);
	const count = from + lines.length + below;
	const position = scrollText(from, room, count);
	const left = paneTitle({name, server, detail: label(detail, 80), focused, width: width - 3});
	const end = cellWidth(left) + cellWidth(right) + AROUND_TITLE > width ? '' : paint('dim', right);
	const title = titleRule({left, right: end, focused, width});
	const filled =
		blocks.length === 0
			? ['', ...wrap(welcome, width - 4).map(line => paint('dim', `   ${line}`))]
			: withScrollMark(
					highlight(lines, from).map((line, row) => markedRow(line, owners[row] === marked, width)),
					{from, height: room, count, width: width + edge},
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
