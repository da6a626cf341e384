import {cellWidth} from '../../text/width/width.ts';
import type {Editor} from '../../text/editor/editor.ts';
import {block} from '../../text/safe.ts';
import type {EditorLines} from '../core/components/editor-lines.ts';
import type {Scope, State} from '../core/program.ts';
import {documentationRows} from './documentation.ts';
import {menuRows} from './menu-rows.ts';

/** The scope of what stands above the prompt. */
export const helpScope = ({completions, documentation}: State): readonly Scope[] =>
	completions !== null ? ['completions'] : documentation !== null ? ['documentation'] : [];

/** The rows that stand over the last ones of a transcript of so many: the menu, else the documentation. */
export const helpRows = (
	{completions: menu, documentation}: Pick<State, 'completions' | 'documentation'>,
	{text, cursor}: Editor,
	server: string,
	editor: EditorLines,
	width: number,
	rows: number,
): readonly string[] => {
	if (menu?.server === server) {
		const typed = cellWidth(block(text.slice(menu.before.length, cursor)));
		return menuRows(menu, Math.max(0, editor.cursor.x - typed), width, rows);
	}
	return documentation?.server === server ? documentationRows(documentation, width, rows) : [];
};

/** How much is asked for by question marks behind a name at the end of a line, as IPython has them; null where there are none. */
export const questionIn = (before: string): {readonly text: string; readonly detail: 0 | 1} | null => {
	const marks = /(?<=(?:^|\n)[ \t]*[%\p{ID_Continue}][%.\p{ID_Continue}]*)\?{1,2}$/u.exec(
		before.slice(-400),
	)?.[0];
	return marks === undefined
		? null
		: {text: before.slice(0, -marks.length), detail: marks.length === 2 ? 1 : 0};
};
