import {isUtf8} from 'node:buffer';
import {diffLines, type DiffLine} from '../text/columns/diff-lines.ts';
import type {Change} from './events.ts';
import type {Task} from './task.ts';

/** Combined changes of a task, one for each file. Undone changes are left out. */
export const taskChanges = ({steps}: Pick<Task, 'steps'>): readonly Change[] => {
	const changes = new Map<string, Change>();
	for (const {took, isUndone, change} of steps)
		if (took && !isUndone && change !== null)
			changes.set(change.path, {...change, before: (changes.get(change.path) ?? change).before});
	return [...changes.values()].filter(({before, after}) => before !== after);
};

const rowsOf = ({before, after}: Change): readonly DiffLine[] => {
	const [old, now] = [Buffer.from(before ?? '', 'base64'), Buffer.from(after, 'base64')];
	if (!isUtf8(old) || !isUtf8(now))
		return [{kind: 'note', text: `Binary file: ${old.length} bytes before, ${now.length} after.`}];
	return diffLines(old.toString('utf8'), now.toString('utf8'));
};

/** Text such as `new, 12 lines` or `3 lines added, 1 removed`. */
export const changeSummary = (change: Change): string => {
	const rows = rowsOf(change);
	const count = (kind: DiffLine['kind']): number => rows.filter(row => row.kind === kind).length;
	const [added, removed] = [count('added'), count('removed')];
	const lines = (many: number): string => (many === 1 ? '1 line' : `${many.toLocaleString('en')} lines`);
	if (change.before === null) return `new, ${lines(added)}`;
	return added + removed === 0 ? 'changed' : `${lines(added)} added, ${removed} removed`;
};

const MARKS = {same: ' ', added: '+', removed: '-', at: '@@ ', note: '\\ '} as const;

/** The change as text, each line with its mark in front. Lines are not escaped. */
export const changeText = (change: Change): string =>
	rowsOf(change)
		.map(({kind, text}) => `${MARKS[kind]}${text}${kind === 'at' ? ' @@' : ''}\n`)
		.join('');
