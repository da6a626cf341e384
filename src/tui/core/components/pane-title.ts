import {label} from '../../../text/safe.ts';
import {cellWidth, cut} from '../../../text/width/width.ts';
import {glyph} from '../theme/glyphs.ts';
import {isSelectionTinted, paint} from '../theme/theme.ts';

const NAME = 40;
const SHORTEST = 8;
/** Width of margins, the ends of the rule, and the ellipsis of a shortened name. */
const AROUND = 9;

type Title = {
	readonly name: string;
	readonly server: string;
	/** Text after the server's name, safe for the terminal. */
	readonly detail: string;
	readonly focused: boolean;
	readonly width: number;
	/** Cells reserved for text after the title. */
	readonly taken?: number;
};

/** Name of a screen or box in its rule: coloured and bold while it has focus. */
export const screenTitle = (name: string, isFocused: boolean): string =>
	!isFocused
		? paint('dim', name)
		: isSelectionTinted()
			? paint('accent', paint('heading', name))
			: paint('heading', name);

/**
 * Name in the title of one of several panes. If the selection is not tinted, the focused pane's
 * name is in reverse video, like the active tab in the header. That is visible without colours.
 */
export const titleTag = (name: string, isFocused: boolean): string =>
	isFocused && !isSelectionTinted() ? paint('selected', ` ${name} `) : ` ${screenTitle(name, isFocused)} `;

/** Cells of a title rule: before its title, and in all beside its title and `right`. */
export const BEFORE_TITLE = 1;
export const AROUND_TITLE = 6;

/**
 * First row of a pane or dialog: a rule with the title, and `right` at its end. `left` includes a
 * blank at each end, which it keeps if it is cut. The rule of the focused pane is coloured.
 */
export const titleRule = ({
	left,
	right = '',
	focused,
	width,
}: {
	readonly left: string;
	readonly right?: string;
	readonly focused: boolean;
	readonly width: number;
}): string => {
	const rule = (cells: number): string => ruleOf(cells, focused);
	const end = right === '' ? '' : ` ${right} `;
	const room = Math.max(1, width - cellWidth(end) - 3);
	const words = cellWidth(left) > room ? `${cut(left, room - 1)} ` : left;
	return rule(1) + words + rule(width - 2 - cellWidth(words) - cellWidth(end)) + end + rule(1);
};

/** Piece of the rule in the first row of a pane. */
export const ruleOf = (cells: number, isFocused: boolean): string =>
	paint(isFocused ? 'accent' : 'rule', glyph.rule.repeat(Math.max(0, cells)));

/**
 * Title of a pane of a server. The server's name is shortened before the detail, because the header
 * shows it too.
 */
export const paneTitle = ({name, server, detail, focused, width, taken = 0}: Title): string => {
	const end = detail === '' ? '' : paint('dim', `· ${detail} `);
	const room = width - taken - cellWidth(name) - cellWidth(end) - AROUND;
	return cut(
		`${titleTag(name, focused)}${paint('dim', '·')} ${label(server, Math.max(SHORTEST, Math.min(NAME, room)))} ${end}`,
		Math.max(0, width - taken),
	);
};

/** Cells left for the text of a rule that also shows a position. */
export const roomOfRule = (width: number, position = ''): number =>
	width - 4 - (position === '' ? 0 : position.length + 4);

/** Rule above an editor, with its text. At its end: the position in the content above the rule. */
export const paneRule = (said: string, width: number, position = ''): string => {
	const words = cut(said, roomOfRule(width, position));
	const end = position === '' ? '' : ` ${position} ${paint('rule', glyph.rule.repeat(2))}`;
	const rest = glyph.rule.repeat(Math.max(0, width - 2 - cellWidth(words) - cellWidth(end)));
	return paint('rule', glyph.rule.repeat(2)) + words + paint('rule', rest) + paint('dim', end);
};
