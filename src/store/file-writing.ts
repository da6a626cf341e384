import type {StateCreator} from 'zustand/vanilla';
import type {FileEntry} from '../contract/files.ts';
import type {DiffLine} from '../text/diff-lines.ts';
import type {ByServer} from './by-server.ts';
import type {Deps, EditedText} from './deps.ts';
import {areSame, contentOf, holds, isText, readFile, sentence, textFile, type Place} from './file-content.ts';
import {fileSaving} from './file-saving.ts';
import type {FilesSlice} from './files.ts';
import type {NoticesSlice} from './notices.ts';
import type {RouteSlice} from './route.ts';
import type {ViewerSlice} from './viewer.ts';
import type {Writing} from './writing.ts';

/** A write that can be taken back. */
type Written = {readonly path: string; readonly before: FileEntry; readonly after: string};

export type FileWritingSlice = {
	/** The last write of each server. */
	readonly written: ByServer<Written>;
	/** Paths that are being saved. */
	readonly saving: readonly string[];
	/** Lets the user edit a file in their own editor, shows the difference and asks before it is saved. A path that leads to nothing makes a new file. */
	editAsItIs(server: string, path: string): Promise<void>;
	/** Goes on with a text that was written over `before` in an earlier program. `take` is called when it is. */
	resumeWriting(left: {readonly server: string; readonly path: string; readonly before: string | null; readonly mine: string; readonly copy: EditedText}, take: () => void): Promise<void>;
	/** Resolves when nothing is being saved any more: false when something was not saved. */
	savesEnd(): Promise<boolean>;
	/** Shows what writing a text to a path would change, and asks before it is written. */
	proposeWrite(server: string, path: string, text: string): Promise<void>;
	/** Saves the topmost writing, unless the file was changed meanwhile. */
	saveWriting(): Promise<void>;
	/** Of a conflict: writes over what another has written. */
	keepMine(): void;
	/** Of a conflict: leaves what is there, and what was written here in its copy. */
	keepTheirs(): void;
	/** Opens the text of the topmost writing in the editor again. */
	editAgain(): Promise<void>;
	/** The other of the two differences of a conflict. */
	showOther(): Promise<void>;
	/** Closes the topmost writing; the copy stays. */
	leaveWriting(): void;
	/** Shows what taking the last write back would change, and asks. */
	undoWrite(server: string): Promise<string | void>;
	/** Shows what the open file is now against how it was read. */
	compareWithServer(server: string): Promise<string | void>;
};

type Needs = FileWritingSlice & FilesSlice & ViewerSlice & NoticesSlice & RouteSlice;

const differenceOf = async (before: string, after: string): Promise<readonly DiffLine[]> => (await import('../text/diff-lines.ts')).diffLines(before, after);

const folderOf = (path: string): string => path.split('/').slice(0, -1).join('/');

export const createFileWritingSlice = ({client, edit}: Deps): StateCreator<Needs, [], [], FileWritingSlice> => (set, get) => {
	const topmost = (): Writing | null => {
		const dialog = get().dialogs.at(-1);
		return dialog?.kind === 'write-file' ? dialog.writing : null;
	};
	const change = (next: Partial<Writing>): void => {
		const writing = topmost();
		if (writing) get().changeDialog({kind: 'write-file', writing: {...writing, ...next}});
	};
	const whereIs = ({copy}: Writing): string => (copy ? ` What you wrote stays under :edits, in ${copy.path}` : '');
	let last = 0;
	const begin = (writing: Pick<Writing, 'server' | 'path' | 'base' | 'mine' | 'copy'>): Writing => ({...writing, id: ++last, stage: 'diff', shown: 'mine', rows: [], isSaving: false, refusal: null});
	const open = async (writing: Parameters<typeof begin>[0]): Promise<void> => {
		const rows = await differenceOf(contentOf(writing.base), writing.mine);
		get().openDialog({kind: 'write-file', writing: {...begin(writing), rows}});
	};
	const editText = async (server: string, path: string, base: FileEntry | null, text: string): Promise<void> => {
		try {
			const copy = await edit({text, name: path, isNew: base === null, about: {what: 'file', server, path}});
			if (holds(base, copy.text)) {
				copy.discard();
				return get().notify('info', `${path} was left as it was`);
			}
			await open({server, path, base, mine: copy.text, copy});
		} catch (error) {
			get().notify('bad', error instanceof Error ? error.message : String(error));
		}
	};

	/** Says why it was not saved: in its dialog, or where that was closed meanwhile, with the place of the copy. */
	const refuse = (writing: Writing, refusal: string): void => {
		if (topmost()?.id === writing.id) return change({isSaving: false, refusal});
		writing.copy?.leave();
		get().notify('bad', `${writing.path}: ${refusal}${whereIs(writing)}`);
	};
	const conflict = async (writing: Writing, theirs: FileEntry | null): Promise<void> => {
		const rows = await differenceOf(contentOf(theirs), writing.mine);
		const next = {...writing, stage: 'conflict', theirs, shown: 'mine', rows, isSaving: false, refusal: null} as const;
		if (topmost()?.id === writing.id) change(next);
		else get().openDialog({kind: 'write-file', writing: next});
	};
	/** Tells that it stands there, after that was made sure of. */
	const saved = (writing: Writing, entry: FileEntry): void => {
		const {server, path, base, mine, copy} = writing;
		copy?.discard();
		if (base !== null || writing.theirs) set({written: new Map(get().written).set(server, {path, before: writing.theirs ?? base ?? entry, after: mine})});
		else {
			const written = new Map(get().written);
			written.delete(server);
			set({written});
		}
		if (topmost()?.id === writing.id) get().closeDialog();
		get().notify('good', `${path} is saved, ${Buffer.byteLength(mine).toLocaleString('en')} bytes`);
		get().showContent(server, {...entry, path, format: 'text', content: mine});
		void get().loadFolder(server, folderOf(path));
	};
	const saving = fileSaving({client, saved, refuse, conflict, changed: paths => set({saving: paths})});
	/** What is there and can be written as text; undefined when it cannot, which was told. */
	const writable = async (place: Place): Promise<FileEntry | null | undefined> => {
		const before = saving.onItsWay(place);
		const now = await readFile(await client(), place);
		if ('failure' in now) return void get().notify('bad', sentence(now.failure));
		if (now.entry?.type === 'directory') return void get().notify('info', `${place.path} is a folder`);
		if (now.entry !== null && !isText(now.entry)) return void get().notify('info', `${place.path} is not text, so it is only shown here; download it to change it`);
		// What is on its way there counts as there.
		const text = saving.onItsWay(place) ?? before;
		return text === undefined ? now.entry : {...now.entry, ...textFile(place.path, text)};
	};

	return {
		written: new Map(),
		saving: [],
		async editAsItIs(server, path) {
			const base = await writable({server, path});
			if (base !== undefined) await editText(server, path, base, contentOf(base));
		},
		async proposeWrite(server, path, text) {
			const base = await writable({server, path});
			if (base !== undefined) await open({server, path, base, mine: text, copy: null});
		},
		async resumeWriting({server, path, before, mine, copy}, take) {
			const now = await readFile(await client(), {server, path});
			if ('failure' in now) return get().notify('bad', `${sentence(now.failure)} What you wrote stays in ${copy.path}`);
			get().go('files');
			if (holds(now.entry, mine)) {
				copy.discard();
				return get().notify('good', `${path} holds what you wrote: it was saved`);
			}
			take();
			const base = before === null ? null : textFile(path, before);
			if (areSame(now.entry, base)) await open({server, path, base: now.entry, mine, copy});
			else await conflict(begin({server, path, base, mine, copy}), now.entry);
		},
		savesEnd: saving.end,
		async saveWriting() {
			const writing = topmost();
			if (writing === null || writing.isSaving) return;
			const mine = {...writing, isSaving: true, refusal: null};
			change(mine);
			await saving.save(mine);
		},
		keepMine: () => change({stage: 'overwrite'}),
		keepTheirs() {
			const writing = topmost();
			if (writing === null) return;
			get().closeDialog();
			writing.copy?.leave();
			if (writing.theirs) get().showContent(writing.server, writing.theirs);
			get().notify('info', `${writing.path} stays as it is there.${whereIs(writing)}`);
		},
		async editAgain() {
			const writing = topmost();
			if (writing === null) return;
			get().closeDialog();
			const {server, path} = writing;
			try {
				const copy = await edit({text: writing.mine, name: path, isNew: writing.base === null, about: {what: 'file', server, path}});
				writing.copy?.discard();
				// What another has written was shown, and what is being saved counts as there: the next save is against that.
				const base = writing.isSaving ? textFile(path, writing.mine) : writing.theirs === undefined ? writing.base : writing.theirs;
				await open({server, path, base, mine: copy.text, copy});
			} catch (error) {
				writing.copy?.leave();
				get().notify('bad', `${error instanceof Error ? error.message : String(error)}${whereIs(writing)}`);
			}
		},
		async showOther() {
			const writing = topmost();
			if (writing === null) return;
			const shown = writing.shown === 'mine' ? 'theirs' : 'mine';
			change({shown, rows: await differenceOf(contentOf(shown === 'mine' ? writing.theirs ?? null : writing.base), shown === 'mine' ? writing.mine : contentOf(writing.theirs ?? null))});
		},
		leaveWriting() {
			const writing = topmost();
			if (writing === null) return;
			if (writing.stage === 'overwrite') return change({stage: 'conflict'});
			get().closeDialog();
			if (writing.isSaving) get().notify('info', `${writing.path} is still being saved`);
			else {
				writing.copy?.leave();
				get().notify('info', `Not saved.${whereIs(writing)}`);
			}
		},
		async undoWrite(server) {
			const written = get().written.get(server);
			if (written === undefined) return 'Nothing was written here yet that could be taken back';
			await get().proposeWrite(server, written.path, contentOf(written.before));
		},
		async compareWithServer(server) {
			const viewer = get().viewers.get(server);
			const file = viewer?.file.value;
			if (viewer === undefined || file === undefined || !isText(file)) return 'Open a text file first';
			const now = await readFile(await client(), {server, path: viewer.path});
			if ('failure' in now) return get().notify('bad', sentence(now.failure));
			if (now.entry !== null && contentOf(now.entry) === contentOf(file)) return get().notify('good', `${viewer.path} is on the server as it is shown here`);
			get().openDialog({kind: 'difference', path: viewer.path, rows: now.entry === null ? [{kind: 'note', text: 'It is no longer there.'}] : await differenceOf(contentOf(file), contentOf(now.entry))});
		},
	};
};
