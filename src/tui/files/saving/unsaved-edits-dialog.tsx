import {
	editName,
	holdsOutputsOnly,
	isWrittenInEditor,
	type UnsavedEdit,
	unsavedEdits,
} from './unsaved-edits.ts';
import type {Dialog, Rect} from '../../core/program.ts';
import {fuzzyFilter} from '../../../text/editor/fuzzy.ts';
import {label} from '../../../text/safe.ts';
import {cut} from '../../../text/width/width.ts';
import {wrap} from '../../../text/width/wrap.ts';
import {keyRows} from '../../core/components/key-hint.ts';
import type {KeyContext} from '../../core/feature.ts';
import {actionOn, refused, type KeyScope} from '../../core/keys/action.ts';
import type {Effects} from '../../core/keys/shared-rows.ts';
import {topDialog, route} from '../../core/store/route.ts';
import {keyFor} from '../../core/keys/live-keys.ts';
import {paint} from '../../core/theme/theme.ts';
import {chooser} from '../../core/dialogs/chooser.tsx';
import {lineWidth} from '../../core/dialogs/dialog-box.tsx';
import {readerActions} from '../../core/dialogs/scrolled.ts';
import {DiffDialog} from './diff-dialog.tsx';
import {DIFF_WIDTH} from './diff-rows.ts';
import {fileSaving} from './saving.ts';

const nameOf = (edit: UnsavedEdit): string => `${editName(edit)} on ${edit.about.server}`;

/**
 * Title of the list, worded for its content: texts from an editor, changed cells, or outputs only.
 */
export const keptTitle = (edits: readonly UnsavedEdit[]): string => {
	if (edits.every(isWrittenInEditor)) return 'Written in an editor and not saved';
	return edits.every(holdsOutputsOnly) ? 'Outputs that were not saved' : 'Unsaved changes';
};

/**
 * Words for an unsaved edit: the verb before its time, the preposition before its path, and the
 * noun in the question whether to discard it.
 */
const wordsFor = (
	edit: UnsavedEdit,
): {readonly head: string; readonly place: string; readonly asked: string} =>
	isWrittenInEditor(edit)
		? {head: 'Written on', place: 'Your text', asked: 'your text'}
		: holdsOutputsOnly(edit)
			? {head: 'Outputs of', place: 'The notebook with them', asked: 'these outputs'}
			: {head: 'Changed on', place: 'Your version', asked: 'your changes'};

/** Lists texts and notebooks with unsaved changes. */
export const keptEdits = chooser({kind: 'kept-edits'}, ({get}) => ({
	title: keptTitle(get().keptEdits),
	enterLabel: 'show',
	empty: 'No edit matches.',
	choicesFor: typed =>
		fuzzyFilter(typed, get().keptEdits, nameOf).map(edit => ({
			text: holdsOutputsOnly(edit) ? `outputs of ${nameOf(edit)}` : nameOf(edit),
			note: new Date(edit.at).toLocaleString('sv').slice(0, 16),
			choose: () => void unsavedEdits(get).showEdit(edit),
		})),
}));

type KeptEditOpen = Extract<Dialog, {readonly kind: 'kept-edit'}>;

/**
 * Smallest height that has room for a blank row above the keys and for several rows of each text.
 */
const ROOMY = 14;

const keysOf = (isFile: boolean, isDiscarding: boolean, width: number): readonly string[] =>
	isDiscarding
		? keyRows(width, ['confirm.yes', 'discard'], ['confirm.no', 'cancel'])
		: keyRows(
				width,
				['keptEdit.takeUp', 'continue editing'],
				...(isFile ? [['keptEdit.fresh', 'edit the saved file'] as const] : []),
				['keptEdit.discard', 'discard'],
				['keptEdit.close', 'close'],
			);

/** The heading, the possible actions, and the number of rows for the difference. */
const layOut = ({edit, isDiscarding}: Pick<KeptEditOpen, 'edit' | 'isDiscarding'>, body: Rect) => {
	const {path, beside, about} = edit;
	const width = lineWidth(body, DIFF_WIDTH);
	const left = beside.map(file => `Left behind by its editor: ${label(file, 300)}`);
	const foot = [
		...(body.height < ROOMY
			? left.map(line => cut(line, width))
			: left.flatMap(line => wrap(line, width))
		).map(line => paint('busy', line)),
		...wrap(`${wordsFor(edit).place} is in ${label(path, 300)}`, width).map(line => paint('dim', line)),
		...(body.height < ROOMY ? [] : ['']),
		...(isDiscarding
			? wrap(`Discard ${wordsFor(edit).asked}? This cannot be undone.`, width).map(line => paint('bad', line))
			: []),
		...keysOf(about.what === 'file', isDiscarding, width),
	];
	return {foot, room: Math.max(1, body.height - 4 - foot.length)};
};

const onEdit = actionOn(({get}) => topDialog(get(), 'kept-edit') ?? refused('No edit is open'));

export const unsavedEditKeys: KeyScope = {
	where: 'unsaved edits',
	isDialog: true,
	actions: {
		...readerActions('kept-edit', (dialog, {rect}) => ({
			count: dialog.rows.length,
			room: layOut(dialog, rect).room,
		})),
		takeUp: onEdit({
			keys: ['y'],
			label: 'continue editing',
			hint: true,
			run({edit}, {get}) {
				route(get).closeDialog();
				void unsavedEdits(get).takeUpEdit(edit);
			},
		}),
		fresh: onEdit({
			keys: ['e'],
			label: 'edit the saved file',
			hint: true,
			writes: true,
			now: ({edit}) => (edit.about.what === 'file' ? undefined : null),
			run({edit: {about}}, {get}) {
				if (about.what !== 'file')
					return `This text belongs to a field: ${keyFor('keptEdit.takeUp')} puts it back there`;
				route(get).closeDialog();
				void fileSaving(get).editAsItIs(about.server, about.path);
			},
		}),
		discard: onEdit({
			keys: ['x'],
			label: 'discard',
			hint: true,
			run: (shown, {get}) => route(get).changeDialog({...shown, isDiscarding: true}),
		}),
		close: {keys: ['esc'], label: 'close', run: ({get}) => route(get).closeDialog()},
	},
};

/** Effects of "yes" and "no" when the user is asked whether to discard the edit. */
export const discarding = ({get}: KeyContext): Effects<'confirm'> => ({
	yes() {
		const shown = topDialog(get(), 'kept-edit');
		if (shown === undefined) return;
		route(get).closeDialog();
		unsavedEdits(get).discardEdit(shown.edit);
	},
	no() {
		const shown = topDialog(get(), 'kept-edit');
		if (shown) route(get).changeDialog({...shown, isDiscarding: false});
	},
});

/** An unsaved edit compared with its original, and the possible actions. */
export const UnsavedEditDialog = ({
	edit,
	rows,
	isDiscarding,
	top = 0,
	body,
}: KeptEditOpen & {readonly body: Rect}) => {
	const {foot, room} = layOut({edit, isDiscarding}, body);
	const {about} = edit;
	const isFile = about.what === 'file';
	const head = [
		`${wordsFor(edit).head} ${new Date(edit.at).toLocaleString('sv').slice(0, 16)} and not saved${isFile && edit.before === null ? '; the file was new then' : ''}.`,
	];
	const called = label(nameOf(edit), 200);
	const title = isFile ? called : called.slice(0, 1).toUpperCase() + called.slice(1);
	return <DiffDialog {...{title, rows, top, room, head, foot, body}} />;
};
