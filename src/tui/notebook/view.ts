// Rows and title of an edited notebook in the viewer.
import type {Load} from '../../api/client-types.ts';
import {indexOfKey} from '../../text/notebook/edit.ts';
import {label} from '../../text/safe.ts';
import {cellWidth, cut, fit, slice} from '../../text/width/width.ts';
import {lineField} from '../core/components/line-field.ts';
import {withScrollMark} from '../core/components/position.ts';
import {ruleOf, titleTag} from '../core/components/pane-title.ts';
import {windowOf} from '../core/components/transcript.ts';
import {keyFor} from '../core/keys/live-keys.ts';
import {glyph} from '../core/theme/glyphs.ts';
import {paint} from '../core/theme/theme.ts';
import {isWaiting} from '../cells/cell.ts';
import {loadText} from '../live/load.ts';
import {FIND_FIELD} from '../files/viewer/title.ts';
import {hasChanges, kernelNameOf, markedCells, runsNow, type OpenNotebook} from './open-notebook.ts';
import type {LayoutArea} from './layout-area.ts';
import type {NotebookLayout} from './rows.ts';
import {sharingText} from './sharing.ts';

/** The visible rows, with signs at the left of the selected and the marked cells. */
export const notebookRows = (
	open: Pick<OpenNotebook, 'notebook' | 'marks'>,
	{blocks, chosen, top}: NotebookLayout,
	{width, edge = 0, height}: LayoutArea,
	isFocused: boolean,
): readonly string[] => {
	if (blocks.length === 0)
		return [paint('dim', `   This notebook has no cells: ${keyFor('notebook.addBelow')} adds one.`)];
	const {from, lines, owners, below} = windowOf(blocks, top, height);
	const role = isFocused ? 'accent' : 'dim';
	const marked = new Set(markedCells(open).map(({key}) => indexOfKey(open.notebook, key)));
	const signOf = (row: number): string | null => {
		const owner = owners[row] ?? -1;
		// A cell that is both marked and selected has the mark on its first row only.
		if (marked.has(owner) && (owner !== chosen || owners[row - 1] !== owner))
			return paint(role, glyph.chosen);
		return owner === chosen ? paint(role, glyph.answer) : null;
	};
	return withScrollMark(
		lines.map((line, row) => {
			const sign = line === '' ? null : signOf(row);
			return sign === null ? line : sign + slice(line, 1, width - 1);
		}),
		{from, height, count: from + lines.length + below, width: width + edge},
	);
};

const doing = (open: OpenNotebook): string => {
	const {runs, asks, editing} = open;
	const waiting = [...runs.values()].filter(isWaiting).length;
	if (asks !== null && editing === null) return paint('busy', ' waits for your input ');
	return runsNow(open) ? paint('busy', ` running${waiting === 0 ? '' : `, ${waiting} waiting`} `) : '';
};

const SEPARATOR = ` ${glyph.other} `;

/** Title of the viewer with an edited notebook. */
export const notebookTitle = (
	open: OpenNotebook,
	laid: NotebookLayout,
	{
		isFocused,
		width,
		isSaving,
		load = null,
	}: {
		readonly isFocused: boolean;
		readonly width: number;
		readonly isSaving: boolean;
		/** Resource use of the server while a cell runs. */
		readonly load?: Load | null;
	},
): string => {
	const count = laid.blocks.length;
	const kernel = kernelNameOf(open) ?? 'no kernel yet';
	const state = isSaving
		? paint('busy', 'saving …')
		: hasChanges(open)
			? paint('busy', 'not saved')
			: paint('dim', 'saved');
	const marked = markedCells(open).length;
	const marks = marked === 0 ? [] : [paint('accent', `${marked} marked`)];
	const position = paint('dim', `cell ${Math.min(count, laid.chosen + 1)} of ${count}`);
	const restWith = (sharing: string): string =>
		` ${[state, ...marks, paint('dim', label(kernel, 20) + sharing), position].join(paint('dim', SEPARATOR))} ${ruleOf(1, isFocused)}`;
	const find =
		open.find === null
			? ''
			: open.find.typing
				? `${paint('accent', '/')} ${fit(lineField(open.find.field, FIND_FIELD).text, FIND_FIELD)} `
				: `${paint('accent', '/')} ${paint('own', label(open.find.field.text, 40))} `;
	const path = titleTag(label(open.path), isFocused);
	const name = open.find?.typing ? ` ${find}${path}` : `${path}${find}`;
	const uses = load === null ? '' : loadText(load);
	const shared = restWith(sharingText(open.ownership));
	const withUses = `${doing(open)}${uses === '' ? '' : paint('dim', `${uses} `)}${shared}`;
	// If space is short, drops the resource use, then the kernel's users; the name is cut last.
	const fits = (text: string): boolean => cellWidth(text) + cellWidth(name) + 2 <= width;
	const right = [withUses, `${doing(open)}${shared}`].find(fits) ?? `${doing(open)}${restWith('')}`;
	const room = width - cellWidth(right) - 2;
	const shown = cut(name, Math.max(8, room));
	return `${ruleOf(1, isFocused)}${shown}${ruleOf(room - cellWidth(shown) + 1, isFocused)}${right}`;
};
