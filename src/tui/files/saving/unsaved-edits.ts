import type {UnsavedEdit} from '../../../storage/unsaved-edits.ts';
import {isNotebook} from '../content.ts';
import {differenceOf} from './difference.ts';
import {messageOf} from '../../../text/errors.ts';
import {readNotebook} from '../../../text/notebook/notebook.ts';
import {documents} from '../document.ts';
import {restoreCode, restoreQuestion} from '../ports.ts';
import {part, type App} from '../../core/app.ts';
import {notices} from '../../core/store/notices.ts';
import {route} from '../../core/store/route.ts';
import {fileSaving} from './saving.ts';

export type {UnsavedEdit};

/** Texts that were written in an editor and are neither saved nor discarded. */
export type KeptEditsState = {
	/** Edits found by the latest search, newest first. */
	readonly keptEdits: readonly UnsavedEdit[];
};

export type UnsavedEdits = {
	/** Notifies the user of unsaved edits that a killed process left on disk. */
	lookForEdits(): Promise<void>;
	/**
	 * Lists all unsaved edits for the user to choose from. Resolves to a sentence if there are
	 * none.
	 */
	showEdits(): Promise<string | void>;
	/** The unsaved edit of this file that a killed process left on disk. */
	keptEditOf(server: string, path: string): Promise<UnsavedEdit | undefined>;
	/**
	 * Opens a file in the editor. First offers an unsaved edit that a killed process left on disk.
	 */
	editFile(server: string, path: string): Promise<void>;
	/** Compares an unsaved edit with its original, and asks the user what to do with it. */
	showEdit(edit: UnsavedEdit): Promise<void>;
	/**
	 * Resumes an edit. An edit of a file is compared with the current content and can then be
	 * saved; an edit of a field is put back into the field.
	 */
	takeUpEdit(edit: UnsavedEdit): Promise<void>;
	discardEdit(edit: UnsavedEdit): void;
};

/** Name of the edited file or field, for users. */
export const editName = ({about}: Pick<UnsavedEdit, 'about'>): string =>
	about.what === 'file'
		? about.path
		: {question: 'a question', code: 'code of the REPL', output: 'an output'}[about.what];

/** True for text from an editor. False for a notebook, which the user edits in the viewer. */
export const isWrittenInEditor = ({about}: Pick<UnsavedEdit, 'about'>): boolean =>
	about.what !== 'file' || !isNotebook(about.path);

const outputsOnly = new WeakMap<UnsavedEdit, boolean>();

const isSameCode = (before: string, now: string): boolean => {
	const [old, mine] = [readNotebook(before), readNotebook(now)];
	return (
		typeof old !== 'string' &&
		typeof mine !== 'string' &&
		old.cells.length === mine.cells.length &&
		old.cells.every(
			({kind, source}, at) => mine.cells[at]?.kind === kind && mine.cells[at]?.source === source,
		)
	);
};

/** True if an unsaved notebook differs from the saved one in its outputs only. */
export const holdsOutputsOnly = (edit: UnsavedEdit): boolean => {
	const {before, read} = edit;
	if (before === null || isWrittenInEditor(edit)) return false;
	const known = outputsOnly.get(edit);
	if (known !== undefined) return known;
	let found = false;
	try {
		found = isSameCode(before, read());
	} catch {
		// The file is missing or not UTF-8, so its content is unknown.
	}
	outputsOnly.set(edit, found);
	return found;
};

/** Notice about an unsaved edit, with the way to find it. */
const unsavedText = (edit: UnsavedEdit): string => {
	if (isWrittenInEditor(edit))
		return `Edits of ${editName(edit)} in an editor were not saved: :edits shows them`;
	return holdsOutputsOnly(edit)
		? `Outputs of ${editName(edit)} were not saved: :edits shows them`
		: `Edits of ${editName(edit)} were not saved: :edits shows them`;
};

const firstKeptEdits = (): KeptEditsState => ({keptEdits: []});

export const unsavedEdits = part(
	'unsavedEdits',
	({get, set, deps: {keptEdits = async () => []}}: App): UnsavedEdits => {
		const find = async (): Promise<readonly UnsavedEdit[]> => {
			const found = await keptEdits();
			set({keptEdits: found});
			return found;
		};
		return {
			async lookForEdits() {
				const found = (await find()).filter(({isLeft}) => !isLeft);
				const outputs = found.filter(holdsOutputsOnly);
				// A rerun restores outputs, so a notebook in which only outputs are unsaved is
				// mentioned once.
				const lost = found.filter(each => !each.isMentioned || !outputs.includes(each));
				const [first] = lost;
				if (first === undefined) return;
				notices(get).notify(
					'info',
					lost.length === 1
						? unsavedText(first)
						: lost.every(isWrittenInEditor)
							? `${lost.length} texts that you wrote in an editor were not saved: :edits shows them`
							: `${lost.length} changes were not saved: :edits shows them`,
				);
				for (const each of outputs) if (!each.isMentioned) each.mention();
			},
			async showEdits() {
				if ((await find()).length === 0) return 'There are no unsaved edits';
				route(get).openDialog({kind: 'kept-edits'});
			},
			keptEditOf: async (server, path) =>
				(await find()).find(
					({about, isLeft}) =>
						!isLeft && about.what === 'file' && about.server === server && about.path === path,
				),
			async editFile(server, path) {
				const kept = await unsavedEdits(get).keptEditOf(server, path);
				await (kept ? unsavedEdits(get).showEdit(kept) : fileSaving(get).editAsItIs(server, path));
			},
			async showEdit(edit) {
				try {
					const path = edit.about.what === 'file' ? edit.about.path : '';
					route(get).openDialog({
						kind: 'kept-edit',
						edit,
						rows: await differenceOf(path, edit.before ?? '', edit.read()),
						isDiscarding: false,
					});
				} catch (error) {
					notices(get).notify('bad', `${messageOf(error)}; it is in ${edit.path}`);
				}
			},
			async takeUpEdit(edit) {
				const {about, before} = edit;
				try {
					const text = edit.read();
					if (
						about.what === 'file' &&
						before !== null &&
						isNotebook(about.path) &&
						(await documents(get).resume({
							server: about.server,
							path: about.path,
							before,
							mine: text,
							copy: {...edit, text},
						}))
					)
						return;
					if (about.what === 'file')
						return await fileSaving(get).resumeWriting(
							{server: about.server, path: about.path, before, mine: text, copy: {...edit, text}},
							edit.take,
						);
					if (about.what === 'output') return;
					const {server} = about;
					const typed = text.replace(/\r?\n$/, '');
					route(get).chooseServer(server, about.what === 'code' ? 'repl' : 'assistant');
					if (about.what === 'code') restoreCode(get, server, typed);
					else restoreQuestion(get, server, typed);
					edit.discard();
				} catch (error) {
					notices(get).notify('bad', `${messageOf(error)}; it is in ${edit.path}`);
				}
			},
			discardEdit(edit) {
				try {
					edit.discard();
					notices(get).notify('info', `Discarded the unsaved edits of ${editName(edit)}`);
				} catch (error) {
					notices(get).notify('bad', messageOf(error));
				}
			},
		};
	},
	firstKeptEdits,
);
