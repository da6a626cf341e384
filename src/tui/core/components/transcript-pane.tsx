import {Box} from 'ink';
import {label} from '../../../text/safe.ts';
import {cellWidth, cut, slice} from '../../../text/width/width.ts';
import {wrap} from '../../../text/width/wrap.ts';
import {glyph} from '../theme/glyphs.ts';
import {paint} from '../theme/theme.ts';
import type {EditorLines} from './editor-lines.ts';
import {paneTitle} from './pane-title.ts';
import {Rows} from './rows.tsx';
import {belowMark, windowOf} from './transcript.ts';

type Props = {
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
	/** Stands in the rule above the editor. */
	readonly note: string;
	/** Stands at the left of it: a field that is typed into. */
	readonly lead?: string;
	readonly editor: EditorLines;
	/** Block under the reader's cursor. */
	readonly marked?: number | undefined;
	/** What the rows in view are shown as; `line` counts from the first of all. */
	readonly dress?: ((row: string, line: number) => string) | undefined;
	readonly focused: boolean;
	readonly width: number;
	readonly height: number;
};

/** Rows of the transcript in a pane of this height with an editor of so many rows: title and rule come off. */
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
	note,
	lead = '',
	editor,
	marked,
	dress = row => row,
	focused,
	width,
	height,
}: Props) => {
	const room = transcriptHeight(height, editor.lines.length);
	const {lines, from, owners, below} = windowOf(blocks, top, room);
	const rest = (isShort: boolean): string =>
		`${lead}${note}${below === 0 ? '' : ` ${belowMark(below, isShort)} `}`;
	const said = cut(rest(cellWidth(rest(false)) > width - 4), width - 4);
	const title = paneTitle({name, server, detail: label(detail, 40), focused, width});
	const rule =
		paint('dim', glyph.rule.repeat(2)) +
		said +
		paint('dim', glyph.rule.repeat(Math.max(0, width - 2 - cellWidth(said))));
	const filled =
		blocks.length === 0
			? ['', ...wrap(welcome, width - 4).map(line => paint('dim', `   ${line}`))]
			: lines.map((line, row) => markedRow(dress(line, from + row), owners[row] === marked, width));
	return (
		<Box flexDirection="column">
			<Rows height={1} lines={[title]} />
			<Rows height={room} lines={filled} />
			<Rows height={1 + editor.lines.length} lines={[rule, ...editor.lines]} />
		</Box>
	);
};
