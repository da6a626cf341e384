import {label} from '../../../text/safe.ts';
import {cellWidth, cut, fit} from '../../../text/width/width.ts';
import {paneRule} from '../../core/components/pane-title.ts';
import {positionText} from '../../core/components/position.ts';
import {windowAround} from '../../core/components/scroll.ts';
import {glyph} from '../../core/theme/glyphs.ts';
import {paint} from '../../core/theme/theme.ts';
import type {Candidate, Menu} from './menu.ts';

/** Number of candidates visible at once. */
const MOST = 8;
const NARROWEST = 12;
const KIND = 10;

const widths = new WeakMap<readonly Candidate[], number>();
/** Width of the widest candidate of all, so that columns stay in place while the user scrolls. */
const widthOf = (candidates: readonly Candidate[]): number => {
	const known = widths.get(candidates);
	if (known !== undefined) return known;
	const width = candidates.reduce((widest, {text}) => Math.max(widest, cellWidth(text)), 0);
	widths.set(candidates, width);
	return width;
};

/** Number of candidates that fit into `rows` rows, besides the rule above them. */
export const menuPage = ({fitting}: Menu, rows: number): number =>
	Math.max(0, Math.min(MOST, fitting.length, rows - 1));

/**
 * The menu with the rule above it, in at most `rows` rows. `column`: start of the replaced text.
 */
export const menuRows = (menu: Menu, column: number, width: number, rows: number): readonly string[] => {
	const {fitting, at} = menu;
	const page = menuPage(menu, rows);
	if (page === 0) return [];
	const from = windowAround(at, page, fitting.length);
	const names = Math.max(NARROWEST, Math.min(widthOf(fitting), Math.floor(width / 2)));
	const indent = ' '.repeat(Math.max(1, Math.min(column - 2, width - names - 2 * KIND)));
	const room = Math.max(0, width - indent.length - 2 - names - 2 - KIND - 3);
	const shown = fitting.slice(from, from + page).map(({text, kind, signature}, index) => {
		const name = fit(label(text, 300), names);
		const notes = `${fit(label(kind, 40), KIND)} ${cut(label(signature, 300), room)}`;
		return from + index === at
			? paint('selected', fit(`${indent}${glyph.cursor} ${name}  ${notes}`, width))
			: cut(`${indent}  ${name}  ${paint('dim', notes)}`, width);
	});
	return [paneRule(' completions ', width, positionText(at, fitting.length)), ...shown];
};
