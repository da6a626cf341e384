// The line above the open file: name, search, keys and position.
import {label} from '../../../text/safe.ts';
import {clampTop} from '../../../text/columns/viewport.ts';
import {cellWidth, cut, fit} from '../../../text/width/width.ts';
import {lineField} from '../../core/components/line-field.ts';
import {ruleOf, titleTag} from '../../core/components/pane-title.ts';
import {isKeyAvailable, keyFor} from '../../core/keys/live-keys.ts';
import {glyph} from '../../core/theme/glyphs.ts';
import {paint} from '../../core/theme/theme.ts';
import {encodingOf} from '../content.ts';
import type {Shown} from './shown.ts';
import {isBrokenOff, type Viewer} from './open-file.ts';

/** Width of the search field in the viewer's title, in cells. */
export const FIND_FIELD = 24;

/** The search text and the number of matches, or the search field while the user types. */
const findMark = (find: Viewer['find']): string => {
	if (!find) return '';
	const of = `${find.count.toLocaleString('en')}${find.complete ? '' : ' …'}`;
	const count =
		find.field.text === ''
			? ''
			: find.at
				? ` ${(find.at.number + 1).toLocaleString('en')}/${of}`
				: ` ${of === '0' ? 'not found' : of}`;
	const {text} = lineField(find.field, FIND_FIELD);
	return `${paint('accent', '/')} ${find.typing ? fit(text, FIND_FIELD) : paint('own', text.trimEnd())}${paint('dim', count)} `;
};

/** Format of a file, and the keys that change the view. */
const kindText = (kind: 'notebook' | 'markdown' | 'table' | 'json' | 'svg' | 'text'): string => {
	const raw = `${keyFor('viewer.raw')} source`;
	const work = isKeyAvailable('viewer.work') ? `${keyFor('viewer.work')} work in it, ` : '';
	const folds = `${keyFor('viewer.foldMore')} ${keyFor('viewer.foldLess')}`;
	return {
		notebook: `${work || `cells ${folds}, `}${isKeyAvailable('viewer.run') ? `${keyFor('viewer.run')} run, ` : ''}${raw}`,
		markdown: `rendered, ${raw}`,
		table: `columns, ${keyFor('viewer.table')} table, ${raw}`,
		json: `folded ${folds}, ${raw}`,
		svg: `drawn, ${keyFor('viewer.picture')} larger, ${raw}`,
		text: '',
	}[kind];
};

export const viewerTitle = (viewer: Viewer, shown: Shown, focused: boolean, width: number): string => {
	const index = shown?.sheet.index;
	const line = shown ? clampTop(shown.sheet, viewer.top, shown.window).line : 0;
	const kind =
		shown?.isLaidOut && viewer.find === null && shown.kind !== 'binary' && shown.kind !== 'picture'
			? `${shown.isPart ? 'the first 200 KB, ' : ''}${kindText(shown.kind)}  `
			: '';
	const value = viewer.file.value;
	const encodingName = value === undefined ? null : encodingOf(value);
	const encoding = encodingName === null ? '' : `${encodingName}${kind === '' ? '  ' : ', '}`;
	const reading = isBrokenOff(viewer)
		? `${paint('bad', 'incomplete')}  `
		: viewer.beginning
			? `${paint('busy', 'reading the rest')}  `
			: '';
	const of = index
		? ` ${reading || encoding + kind}${line + 1}/${index.count}${index.complete && !viewer.beginning ? '' : '…'}${viewer.left > 0 && shown.window.left > 0 ? `  col ${viewer.left + 1}` : ''} `
		: '';
	const find = findMark(viewer.find);
	// While the user types a search, the field comes first, because the cursor is drawn there.
	const path = titleTag(label(viewer.path), focused);
	const name = viewer.find?.typing
		? ` ${find}${path}`
		: `${path}${find === '' ? '' : `${paint('rule', glyph.rule)} ${find}`}`;
	// The problem is cut so that the file name stays whole; a very long name gets half of the line.
	const free = width - cellWidth(of) - 2;
	const room = free - Math.min(cellWidth(name), Math.floor(width / 2));
	const problem = shown?.problem ? cut(` ${paint('busy', shown.problem)} `, Math.max(0, room)) : '';
	const beside = free - cellWidth(problem);
	const shownName = cut(name, Math.max(8, beside));
	const rule = ruleOf(beside - cellWidth(shownName), focused);
	return `${ruleOf(1, focused)}${shownName}${rule}${problem}${paint('dim', of)}${ruleOf(1, focused)}`;
};
