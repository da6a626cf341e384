import {useRef, useState} from 'react';
import type {LineChange} from '../../text/line-changes.ts';
import {block, label} from '../../text/safe.ts';
import {cut} from '../../text/width.ts';
import {clamp, scrolling} from '../components/scroll.ts';
import type {Rect} from '../frame/layout.ts';
import {useKeys} from '../keys/keys.tsx';
import {useApp, useGetState} from '../store-context.ts';
import {glyph} from '../theme/glyphs.ts';
import {paint} from '../theme/theme.ts';
import {DialogBox} from './dialog-box.tsx';

const WIDTH = 110;

const rowOf = (change: LineChange): string => {
	if (change.kind === 'skipped') return paint('dim', `  … ${change.count} lines as they are`);
	const text = block(change.text.slice(0, 2000));
	if (change.kind === 'same') return paint('dim', `  ${text}`);
	return change.kind === 'added' ? paint('good', `+ ${text}`) : paint('bad', `- ${text}`);
};

/** What a file holds against the code that is to be written there, before it is. */
export const WriteDiff = ({body}: {readonly body: Rect}) => {
	const get = useGetState();
	const writing = useApp(state => state.writing);
	const at = useRef(0);
	const [top, draw] = useState(0);
	const state = writing?.state;
	const rows = state?.status === 'compared' ? state.changes.map(rowOf) : [state?.status === 'failed' ? paint('bad', label(state.problem, 300)) : 'Reading the file …'];
	const height = Math.max(1, Math.min(rows.length, body.height - 7));
	const last = Math.max(0, rows.length - height);
	const scroll = scrolling(() => at.current, last, height - 1, to => {
		at.current = to ?? last;
		draw(at.current);
	});
	useKeys('packet', {
		...scroll,
		send() {
			const now = get().writing?.state;
			if (now?.status !== 'compared') return now?.status === 'failed' ? now.problem : 'The file is still being read';
			get().closeDialog();
			if (now.changes.length === 0) return 'The file holds exactly this already';
			void get().writeCompared();
		},
		close: () => get().closeDialog(),
	});
	const from = clamp(top, 0, last);
	const width = Math.min(WIDTH, body.width - 4) - 4;
	const isNew = state?.status === 'compared' && state.before === null;
	const added = state?.status === 'compared' ? state.changes.filter(each => each.kind === 'added').length : 0;
	const removed = state?.status === 'compared' ? state.changes.filter(each => each.kind === 'removed').length : 0;
	const summary = state?.status !== 'compared' ? '' : state.changes.length === 0 ? 'nothing changes' : isNew ? `a new file, lines: ${added}` : `lines added ${added}, removed ${removed}`;
	return (
		<DialogBox title={`Write ${label(writing?.path ?? '', 60)}?`} body={body} width={WIDTH} lines={[
			paint('dim', summary), ...rows.slice(from, from + height).map(row => cut(row, width)),
			last > from ? paint('busy', `${glyph.below} ${last - from} more lines`) : '', `${paint('accent', 'y')} write   ${paint('accent', 'esc')} do not`,
		]}/>
	);
};
