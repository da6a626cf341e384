import {cellWidth} from '../../../text/width/width.ts';
import type {Editor} from '../../../text/editor/editor.ts';
import {block} from '../../../text/safe.ts';
import type {Scope, State} from '../../core/program.ts';
import type {CodeField} from './code-field.ts';
import {documentationRows} from './documentation.ts';
import {menuRows} from './menu-rows.ts';

/** Scope of the completions or documentation beside typed code. */
export const helpScope = ({completions, documentation}: State): readonly Scope[] =>
	completions !== null ? ['completions'] : documentation !== null ? ['documentation'] : [];

/** The completion menu, else the documentation, in at most `rows` rows. `column`: cursor column. */
export const helpRows = (
	{completions: menu, documentation}: Pick<State, 'completions' | 'documentation'>,
	{server, notebook}: Pick<CodeField, 'server' | 'notebook'>,
	{text, cursor}: Editor,
	column: number,
	width: number,
	rows: number,
): readonly string[] => {
	const isOf = (help: {readonly field: CodeField} | null): boolean =>
		help?.field.server === server && help.field.notebook === notebook;
	if (menu !== null && isOf(menu)) {
		const typed = cellWidth(block(text.slice(menu.before.length, cursor)));
		return menuRows(menu, Math.max(0, column - typed), width, rows);
	}
	return documentation !== null && isOf(documentation) ? documentationRows(documentation, width, rows) : [];
};

/**
 * Code before question marks at the end of a line, and the level of detail that they request, as in
 * IPython. Null without question marks.
 */
export const questionIn = (before: string): {readonly text: string; readonly detail: 0 | 1} | null => {
	const marks = /(?<=(?:^|\n)[ \t]*[%\p{ID_Continue}][%.\p{ID_Continue}]*)\?{1,2}$/u.exec(
		before.slice(-400),
	)?.[0];
	return marks === undefined
		? null
		: {text: before.slice(0, -marks.length), detail: marks.length === 2 ? 1 : 0};
};
