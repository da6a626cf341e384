import {label} from '../../../text/safe.ts';
import {cellWidth, cut} from '../../../text/width/width.ts';
import {glyph} from '../theme/glyphs.ts';
import {paint} from '../theme/theme.ts';

const NAME = 40;
const SHORTEST = 8;
/** Width of margins and of the ellipsis of a name that is cut. */
const AROUND = 7;

type Title = {
	readonly name: string;
	readonly server: string;
	/** Safe text. */
	readonly detail: string;
	readonly focused: boolean;
	readonly width: number;
	/** Cells reserved for text after it. */
	readonly taken?: number;
	/** True below another pane: the title is then the line between the two. */
	readonly isBelow?: boolean;
};

/**
 * A name in a title. The focused pane is in reverse, like the screen's tab in the header, which is
 * visible without colours too.
 */
export const titleTag = (name: string, isFocused: boolean): string =>
	isFocused ? paint('selected', ` ${name} `) : ` ${name} `;

/**
 * First row of a pane. The server's name is shortened before the detail, because the header shows
 * it too.
 */
export const paneTitle = ({isBelow = false, ...title}: Title): string => {
	if (!isBelow) return plainTitle(title);
	const words = plainTitle({...title, width: title.width - 1});
	const rest = Math.max(0, title.width - 1 - (title.taken ?? 0) - cellWidth(words));
	return paint('dim', glyph.rule) + words + paint('dim', glyph.rule.repeat(rest));
};

const plainTitle = ({name, server, detail, focused, width, taken = 0}: Omit<Title, 'isBelow'>): string => {
	const end = detail === '' ? '' : paint('dim', `· ${detail} `);
	const room = width - taken - cellWidth(name) - cellWidth(end) - AROUND;
	return cut(
		`${focused ? titleTag(name, true) : paint('dim', ` ${name} `)}${paint('dim', '·')} ${label(server, Math.max(SHORTEST, Math.min(NAME, room)))} ${end}`,
		Math.max(0, width - taken),
	);
};

/** Width of the rule's text beside a position. */
export const roomOfRule = (width: number, position = ''): number =>
	width - 4 - (position === '' ? 0 : position.length + 4);

/** The rule above typed text, with its text and, at its end, the position in the lines above. */
export const paneRule = (said: string, width: number, position = ''): string => {
	const words = cut(said, roomOfRule(width, position));
	const end = position === '' ? '' : ` ${position} ${glyph.rule.repeat(2)}`;
	const rest = glyph.rule.repeat(Math.max(0, width - 2 - cellWidth(words) - end.length));
	return paint('dim', glyph.rule.repeat(2)) + words + paint('dim', rest + end);
};
