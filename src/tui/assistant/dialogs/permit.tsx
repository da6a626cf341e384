import {label, lineFrom} from '../../../text/safe.ts';
import {hanging} from '../../../text/width/hanging.ts';
import {wrap} from '../../../text/width/wrap.ts';
import {keyRows} from '../../core/components/key-hint.ts';
import type {DialogProps, Rect} from '../../core/program.ts';
import type {KeyHandlers} from '../../core/room.ts';
import {lastResult} from '../../core/store/last-result.ts';
import {keyFor} from '../../core/keys/live-keys.ts';
import {topDialog} from '../../core/store/route.ts';
import {DialogBox, lineWidth} from '../../core/dialogs/dialog-box.tsx';
import {BESIDE_MARK, readerKeys, scrolled} from '../../core/dialogs/scrolled.ts';
import {glyph} from '../../core/theme/glyphs.ts';
import {paint} from '../../core/theme/theme.ts';
import {diffRows, diffWidth} from '../../files/dialogs/diff-rows.ts';
import type {Decision} from '../../../work/permission.ts';
import type {PermitQuestion} from '../work.ts';

const WIDTH = 110;
const ROOMY = 14;

/** All of it, however long a line is: what is beyond an edge would be allowed unseen. */
const rowsOf = lastResult((rows: PermitQuestion['rows'], width: number): PermitQuestion['rows'] =>
	rows.flatMap(row =>
		row.kind === 'at' || row.kind === 'note'
			? [row]
			: hanging(lineFrom(row.text, 0), width - 2).map(({before, text}) => ({
					...row,
					text: before === null ? text : `${' '.repeat(before)}${glyph.goesOn} ${text}`,
				})),
	),
);

/** What stands around the rows, and how many of them there is room for. */
const layOut = ({note, kind, isPrivate, folder, rows: shown}: PermitQuestion, body: Rect) => {
	const width = lineWidth(body, WIDTH);
	const notes = wrap(note, width).map(line =>
		paint(kind === 'write' || kind === 'edit' ? 'dim' : 'busy', line),
	);
	// On a small screen what is to be allowed needs the row.
	const gap = body.height < ROOMY ? [] : [''];
	const keys = [
		...gap,
		...keyRows(
			width,
			['permit.once', 'allow it once'],
			...(folder === null ? [] : ([['permit.folder', `allow ${kind} in ${label(folder, 40)}/`]] as const)),
			// A guarded file is asked about each time.
			...(isPrivate
				? []
				: ([
						['permit.task', `allow ${kind} for this task`],
						['permit.always', `until svc-tui ends`],
					] as const)),
			['permit.refuse', 'refuse'],
			['permit.close', 'decide later'],
		),
	];
	return {
		notes,
		keys,
		rows: rowsOf(shown, width - BESIDE_MARK),
		room: Math.max(1, body.height - 4 - notes.length - keys.length),
	};
};

export const permit: KeyHandlers<'permit'> = ({get, rect}) => {
	const decide = (decision: Decision) => (): string | void => {
		const dialog = topDialog(get(), 'permit');
		if (dialog === undefined) return;
		const {rows, room} = layOut(dialog.question, rect);
		const {from, last} = scrolled(dialog.top ?? 0, rows.length, room);
		if (decision !== 'no' && from < last)
			return `${last - from} more ${last - from === 1 ? 'line is' : 'lines are'} below: ${keyFor('permit.last')} leads to the end, where it can be allowed`;
		const isFree = !dialog.question.isPrivate || decision === 'once' || decision === 'no';
		if (!isFree) return 'This file is asked about each time';
		if (decision === 'folder' && dialog.question.folder === null)
			return 'Only what is written into a folder can be allowed for it';
		return get().decideWork(dialog.server, dialog.question, decision);
	};
	return {
		...readerKeys(get, 'permit', ({question}) => {
			const {rows, room} = layOut(question, rect);
			return {count: rows.length, room};
		}),
		once: decide('once'),
		folder: decide('folder'),
		task: decide('task'),
		always: decide('always'),
		refuse: decide('no'),
	};
};

/** Shows all that a step of a task does, before it is done. */
export const Permit = ({server, question, top = 0, body}: DialogProps<'permit'>) => {
	const {notes, keys, rows, room} = layOut(question, body);
	const view = scrolled(top, rows.length, room);
	const title = `Allow this on ${label(server, 40)}? ${label(question.title, 120)}`;
	const width = diffWidth(title, rows, [...notes, ...keys], WIDTH);
	return (
		<DialogBox
			title={title}
			body={body}
			width={width}
			position={view.position}
			lines={[...diffRows(rows, view, lineWidth(body, width)), view.more, ...notes, ...keys]}
		/>
	);
};
