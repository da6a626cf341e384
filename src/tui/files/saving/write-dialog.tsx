import {isUnderWay, questionOf, type Question, type Writing} from './save-machine.ts';
import type {DiffLine} from '../../../text/columns/diff-lines.ts';
import {label} from '../../../text/safe.ts';
import {wrap} from '../../../text/width/wrap.ts';
import {callDetailsHint, keyColumn, keyRows} from '../../core/components/key-hint.ts';
import {Rows} from '../../core/components/rows.tsx';
import {SelectList, selectKeys} from '../../core/components/select-list.tsx';
import type {Rect, State} from '../../core/program.ts';
import type {KeyContext} from '../../core/feature.ts';
import type {KeyScope} from '../../core/keys/action.ts';
import type {Effects} from '../../core/keys/shared-rows.ts';
import {topDialog} from '../../core/store/route.ts';
import {keyFor} from '../../core/keys/live-keys.ts';
import {useGetState} from '../../core/store-context.ts';
import {paint} from '../../core/theme/theme.ts';
import {boxLines, lineWidth} from '../../core/dialogs/dialog-box.tsx';
import {readerActions, readerKeys} from '../../core/dialogs/scrolled.ts';
import {DiffDialog} from './diff-dialog.tsx';
import {DIFF_WIDTH} from './diff-rows.ts';
import {fileSaving} from './saving.ts';
import {notices} from '../../core/store/notices.ts';

const keysOf = (question: Question, width: number): readonly string[] => {
	switch (question.at) {
		case 'diff':
			return keyRows(
				width,
				['writing.save', 'save'],
				['writing.edit', 'edit again'],
				['writing.close', 'do not save'],
			);
		case 'conflict':
			return keyRows(width, ['conflict.other', 'other difference'], ['conflict.close', 'close']);
		case 'overwrite':
			return keyRows(
				width,
				['confirm.yes', question.theirs === null ? 'save it again' : 'overwrite their changes'],
				['confirm.no', 'back'],
			);
	}
};

const CONFLICT = [
	['mine', 'keep mine'],
	['theirs', 'keep theirs'],
	['edit', 'edit again'],
] as const;

/** Explanation above the difference. */
const headOf = (question: Question, isNew: boolean, width: number): readonly string[] => {
	const said = (words: string): readonly string[] => wrap(words, width).map(line => paint('bad', line));
	if (question.at === 'diff') return isNew ? ['This file is new.'] : [];
	if (question.theirs === null)
		return [
			...said('This file is gone from the server since you read it. Keep yours to save it again.'),
			'Yours, as it would be saved:',
		];
	return [question.shown === 'mine' ? 'From theirs to yours:' : 'Their changes:'];
};

/** The lines above and below the difference, and the number of rows for the difference. */
const layOut = (writing: Writing, body: Rect) => {
	const width = lineWidth(body, DIFF_WIDTH);
	const question: Question = questionOf(writing) ?? {at: 'diff', refusal: null};
	const {refusal, failure} = question.at === 'conflict' ? {refusal: null} : question;
	const head = headOf(question, writing.base === null, width);
	const foot = [
		...(refusal === null
			? []
			: [
					...wrap(label(refusal, 600), width).map(line => paint('bad', line)),
					...(failure === undefined ? [] : [callDetailsHint(failure, 'always.evidence')]),
				]),
		...(writing.copy === null
			? []
			: wrap(`Your text is in ${label(writing.copy.path, 300)}`, width).map(line => paint('dim', line))),
		...(isUnderWay(writing) ? [paint('busy', 'saving …')] : keysOf(question, width)),
	];
	const choices =
		question.at === 'conflict' && !isUnderWay(writing)
			? CONFLICT.map(([value, words]) => ({value, lines: [keyColumn(`conflict.${value}`, words)]}))
			: [];
	const room = Math.max(1, body.height - 3 - head.length - choices.length - foot.length);
	return {question, head, foot, choices, room};
};

const scrollWriting = readerActions('write-file', ({writing}, {rect}) => ({
	count: writing.rows.length,
	room: layOut(writing, rect).room,
}));

const writingIn = (state: State): Writing | undefined => topDialog(state, 'write-file')?.writing;
/** Null while the text is being saved; undefined otherwise. */
const unlessSaving = ({get}: KeyContext): null | undefined => {
	const writing = writingIn(get());
	return writing !== undefined && isUnderWay(writing) ? null : undefined;
};
const closeLabel = (at: KeyContext): string | undefined => (unlessSaving(at) === null ? 'close' : undefined);
const close = ({get}: KeyContext): void => fileSaving(get).leaveWriting();

export const writingKeys: KeyScope = {
	where: 'changes to save',
	isDialog: true,
	actions: {
		...scrollWriting,
		save: {
			keys: ['y'],
			label: 'save',
			hint: true,
			writes: true,
			now: unlessSaving,
			run: ({get}) => void fileSaving(get).saveWriting(),
		},
		edit: {
			keys: ['e'],
			label: 'edit again',
			hint: true,
			now: unlessSaving,
			run: ({get}) => void fileSaving(get).editAgain(),
		},
		close: {keys: ['esc'], label: 'do not save', now: closeLabel, run: close},
	},
};

/** Effects of "yes" and "no" when the user is asked whether to overwrite another user's change. */
export const overwriting = (at: KeyContext): Effects<'confirm'> => ({
	yes: {now: () => unlessSaving(at), run: () => void fileSaving(at.get).saveWriting()},
	no: {now: () => closeLabel(at), run: () => close(at)},
});

/** Answers to a conflict with another user's change. */
const conflictAnswers = (get: () => State) => ({
	mine: () => fileSaving(get).keepMine(),
	theirs: () =>
		isGone(get) ? 'There is no other version to keep: the file is gone' : fileSaving(get).keepTheirs(),
	edit: () => void fileSaving(get).editAgain(),
});

const isGone = (get: () => State): boolean => {
	const writing = writingIn(get());
	const question = writing ? questionOf(writing) : null;
	return question !== null && question.at !== 'diff' && question.theirs === null;
};
const unlessGone = (at: KeyContext): null | undefined => (isGone(at.get) ? null : unlessSaving(at));

export const conflictKeys: KeyScope = {
	where: 'a file that someone else changed',
	isDialog: true,
	actions: {
		...scrollWriting,
		// Not the plain up and down keys: they scroll the difference.
		previous: {keys: ['left', 'shift+up'], label: 'Previous choice', run: at => selectKeys(at).up()},
		next: {keys: ['right', 'shift+down'], label: 'Next choice', run: at => selectKeys(at).down()},
		accept: {keys: ['enter'], label: 'choose', run: at => selectKeys(at).accept()},
		mine: {
			keys: ['m'],
			label: 'keep mine',
			hint: true,
			writes: true,
			now: unlessSaving,
			run: ({get}) => conflictAnswers(get).mine(),
		},
		theirs: {
			keys: ['t'],
			label: 'keep theirs',
			hint: true,
			now: unlessGone,
			run: ({get}) => conflictAnswers(get).theirs(),
		},
		edit: {
			keys: ['e'],
			label: 'edit again',
			hint: true,
			now: unlessSaving,
			run: ({get}) => conflictAnswers(get).edit(),
		},
		other: {
			keys: ['tab'],
			label: 'other difference',
			hint: true,
			now: unlessGone,
			run: ({get}) =>
				isGone(get)
					? 'There is no other version to compare: the file is gone'
					: void fileSaving(get).showOther(),
		},
		close: {keys: ['esc'], label: 'do not save', now: closeLabel, run: close},
	},
};

type Props = {readonly writing: Writing; readonly top?: number; readonly body: Rect};

/**
 * Changes that saving would make to a file, line by line. In a conflict it shows one of the two
 * versions and the choices.
 */
export const WriteFile = ({writing, top = 0, body}: Props) => {
	const get = useGetState();
	const {path, rows} = writing;
	const {question, head, foot, choices, room} = layOut(writing, body);
	const title = `${question.at === 'diff' ? 'Save' : 'Changed by someone else:'} ${label(path, 200)}${question.at === 'diff' ? '?' : ''}`;
	return (
		<DiffDialog
			{...{title, rows, top, room, head, foot, body}}
			choices={
				choices.length === 0
					? null
					: {
							rows: choices.length + foot.length,
							draw: width => (
								<>
									<SelectList
										items={choices}
										at="edit"
										width={width}
										onSelect={value => {
											const reason = conflictAnswers(get)[value]();
											if (typeof reason === 'string') notices(get).notify('info', reason);
										}}
									/>
									<Rows lines={boxLines(foot, width + 4)} height={foot.length} />
								</>
							),
						}
			}
		/>
	);
};

const differenceRoom = ({height}: Rect): number => Math.max(1, height - 4);

export const difference = readerKeys('difference', ({rows}, {rect}) => ({
	count: rows.length,
	room: differenceRoom(rect),
}));

/** The current content on the server compared with the content read before. */
export const Difference = ({
	path,
	rows,
	top = 0,
	body,
}: {
	readonly path: string;
	readonly rows: readonly DiffLine[];
	readonly top?: number;
	readonly body: Rect;
}) => {
	const title = `${label(path, 200)}: from the shown version to the server's`;
	const foot = [paint('dim', `${keyFor('global.refresh')} in the viewer reads it again`)];
	return <DiffDialog {...{title, rows, top, foot, body}} room={differenceRoom(body)} />;
};
