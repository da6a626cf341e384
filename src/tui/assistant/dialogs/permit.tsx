import {label, lineFrom} from '../../../text/safe.ts';
import {hanging} from '../../../text/width/hanging.ts';
import {cellWidth} from '../../../text/width/width.ts';
import {wrap} from '../../../text/width/wrap.ts';
import {keyRows} from '../../core/components/key-hint.ts';
import type {DialogProps, Rect} from '../../core/program.ts';
import type {KeyContext} from '../../core/feature.ts';
import type {KeyScope} from '../../core/keys/action.ts';
import {lastResult} from '../../core/store/last-result.ts';
import {keyFor} from '../../core/keys/live-keys.ts';
import {route, topDialog} from '../../core/store/route.ts';
import {DialogBox, lineWidth} from '../../core/dialogs/dialog-box.tsx';
import {BESIDE_MARK, readerActions, scrolled} from '../../core/dialogs/scrolled.ts';
import {glyph} from '../../core/theme/glyphs.ts';
import {paint} from '../../core/theme/theme.ts';
import {diffRows, diffWidth} from '../../files/saving/diff-rows.ts';
import type {Decision} from '../../../work/permission.ts';
import type {PermitQuestion} from '../work.ts';
import {tasks} from '../tasks.ts';

const WIDTH = 110;
const ROOMY = 14;

const MOST_IN_TITLE = 120;

const ACTIVITY: Readonly<Record<PermitQuestion['kind'], string>> = {
	read: 'reading',
	run: 'running code',
	shell: 'shell commands',
	write: 'writing',
	edit: 'editing',
};
const titleOf = (server: string, {title}: PermitQuestion): string =>
	`Allow this on ${label(server, 40)}? ${label(title, MOST_IN_TITLE)}`;

const wrapped = (text: string, width: number): readonly string[] =>
	hanging(text, width).map(row =>
		row.before === null ? row.text : `${' '.repeat(row.before)}${glyph.goesOn} ${row.text}`,
	);

/** All rows, wrapped, because the user must see all text before allowing it. `head`: line above. */
const rowsOf = lastResult(
	(rows: PermitQuestion['rows'], head: string, width: number): PermitQuestion['rows'] => [
		...(head === ''
			? []
			: wrapped(label(head, Infinity), width).map(text => ({kind: 'note' as const, text}))),
		...rows.flatMap(row =>
			row.kind === 'at' || row.kind === 'note'
				? [row]
				: wrapped(lineFrom(row.text, 0), width - 2).map(text => ({...row, text})),
		),
	],
);

/**
 * The question if it does not fit into the box's title, else empty. A path may be long, and the
 * user must see all of it.
 */
const headOf = (server: string, question: PermitQuestion, width: number): string =>
	question.kind !== 'run' &&
	question.kind !== 'shell' &&
	(question.title.length > MOST_IN_TITLE || cellWidth(titleOf(server, question)) > width - 2)
		? question.title
		: '';

/** Lays out the dialog: notes, wrapped rows and keys. `room`: number of visible rows. */
const layOut = (server: string, question: PermitQuestion, body: Rect) => {
	const {note, kind, isPrivate, folder, rows} = question;
	const width = lineWidth(body, WIDTH);
	const notes = wrap(note, width).map(line =>
		paint(kind === 'write' || kind === 'edit' ? 'dim' : 'busy', line),
	);
	// The rows need this space on a small screen.
	const gap = body.height < ROOMY ? [] : [''];
	const keys = [
		...gap,
		...keyRows(
			width,
			['permit.once', 'allow once'],
			...(folder === null
				? []
				: ([['permit.folder', `allow ${ACTIVITY[kind]} in ${label(folder, 40)}/`]] as const)),
			// Access to a guarded file is decided each time, so no lasting permission is offered.
			...(isPrivate
				? []
				: ([
						['permit.task', `allow ${ACTIVITY[kind]} for this task`],
						['permit.always', 'allow it until svc-tui ends'],
					] as const)),
			['permit.refuse', 'refuse'],
			['permit.close', 'decide later'],
		),
	];
	return {
		notes,
		keys,
		rows: rowsOf(rows, headOf(server, question, width), width - BESIDE_MARK),
		room: Math.max(1, body.height - 4 - notes.length - keys.length),
	};
};

const decide =
	(decision: Decision) =>
	({get, rect}: KeyContext): string | void => {
		const dialog = topDialog(get(), 'permit');
		if (dialog === undefined) return;
		const {rows, room} = layOut(dialog.server, dialog.question, rect);
		const {from, last} = scrolled(dialog.top ?? 0, rows.length, room);
		if (decision !== 'no' && from < last)
			return `${last - from} more ${last - from === 1 ? 'line is' : 'lines are'} below: ${keyFor('permit.last')} shows the end, where you can allow it`;
		const isFree = !dialog.question.isPrivate || decision === 'once' || decision === 'no';
		if (!isFree) return 'This file needs your permission each time';
		if (decision === 'folder' && dialog.question.folder === null)
			return 'Only writes can be allowed for a folder';
		return tasks(get).decideWork(dialog.server, dialog.question, decision);
	};

export const permitKeys: KeyScope = {
	where: 'permission for a step',
	isDialog: true,
	actions: {
		...readerActions('permit', ({server, question}, {rect}) => {
			const {rows, room} = layOut(server, question, rect);
			return {count: rows.length, room};
		}),
		once: {keys: ['y'], label: 'allow once', hint: true, run: decide('once')},
		folder: {keys: ['f'], label: 'allow this kind in its folder for the task', run: decide('folder')},
		task: {
			keys: ['t'],
			label: 'allow this kind for the task',
			hint: true,
			now: ({get}) => (topDialog(get(), 'permit')?.question.isPrivate === true ? null : undefined),
			run: decide('task'),
		},
		always: {keys: ['a'], label: 'allow this kind until the program ends', run: decide('always')},
		refuse: {keys: ['n'], label: 'refuse', hint: true, run: decide('no')},
		close: {keys: ['esc'], label: 'decide later', run: ({get}) => route(get).closeDialog()},
	},
};

/** Shows a whole step of a task before it runs, and asks for permission. */
export const Permit = ({server, question, top = 0, body}: DialogProps<'permit'>) => {
	const {notes, keys, rows, room} = layOut(server, question, body);
	const view = scrolled(top, rows.length, room);
	const title = titleOf(server, question);
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
