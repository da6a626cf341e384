import type {StateCreator} from 'zustand/vanilla';
import type {Client} from '../api/client-types.ts';
import {explainFailure, type Failure} from '../api/failure.ts';
import type {FileEntry} from '../contract/files.ts';
import type {DiffLine} from '../text/diff-lines.ts';
import type {ByServer} from './by-server.ts';
import type {Deps} from './deps.ts';
import type {FilesSlice} from './files.ts';
import type {NoticesSlice} from './notices.ts';
import type {RouteSlice} from './route.ts';
import {textOf, type ViewerSlice} from './viewer.ts';
import type {Writing} from './writing.ts';

/** A write that can be taken back. */
type Written = {readonly path: string; readonly before: FileEntry; readonly after: string};

export type FileWritingSlice = {
	/** The last write of each server. */
	readonly written: ByServer<Written>;
	/** Lets the user edit a file in their own editor, shows the difference and asks before it is saved. A path that leads to nothing makes a new file. */
	editFile(server: string, path: string): Promise<void>;
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

const sentence = (failure: Failure): string => {
	const {what, next} = explainFailure(failure);
	return `${what} ${next}`;
};

const contentOf = (entry: FileEntry | null): string => {
	if (entry === null) return '';
	// A notebook may come as JSON; one space is how nbformat indents it on disk.
	return textOf(entry) ?? `${JSON.stringify(entry.content, null, 1)}\n`;
};

const isText = (entry: FileEntry): boolean => textOf(entry) !== null || (entry.type === 'notebook' && typeof entry.content === 'object' && entry.content !== null);

const differenceOf = async (before: string, after: string): Promise<readonly DiffLine[]> => (await import('../text/diff-lines.ts')).diffLines(before, after);

const folderOf = (path: string): string => path.split('/').slice(0, -1).join('/');

/** The file at a path, null when there is none. */
const readFile = async (client: Client, server: string, path: string): Promise<{readonly entry: FileEntry | null} | {readonly failure: Failure}> => {
	const reply = await client.getFile(server, path);
	if (reply.ok) return {entry: reply.value};
	return reply.failure.kind === 'not-found' ? {entry: null} : {failure: reply.failure};
};

export const createFileWritingSlice = ({client, edit}: Deps): StateCreator<Needs, [], [], FileWritingSlice> => (set, get) => {
	const topmost = (): Writing | null => {
		const dialog = get().dialogs.at(-1);
		return dialog?.kind === 'write-file' ? dialog.writing : null;
	};
	const change = (next: Partial<Writing>): void => {
		const writing = topmost();
		if (writing) get().changeDialog({kind: 'write-file', writing: {...writing, ...next}});
	};
	const whereIs = ({copy}: Writing): string => (copy ? ` What you wrote is in ${copy.path}` : '');
	const open = async (writing: Pick<Writing, 'server' | 'path' | 'base' | 'mine' | 'copy'>): Promise<void> => {
		const rows = await differenceOf(contentOf(writing.base), writing.mine);
		get().openDialog({kind: 'write-file', writing: {...writing, stage: 'diff', shown: 'mine', rows, isSaving: false, refusal: null}});
	};
	const editText = async (server: string, path: string, base: FileEntry | null, text: string): Promise<void> => {
		try {
			const copy = await edit(text, path);
			if (copy.text === contentOf(base) && base !== null) {
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
		if (topmost()?.path === writing.path) change({isSaving: false, refusal});
		else get().notify('bad', `${writing.path}: ${refusal}${whereIs(writing)}`);
	};
	const conflict = async (writing: Writing, theirs: FileEntry | null): Promise<void> => {
		const rows = await differenceOf(contentOf(theirs), writing.mine);
		const next = {...writing, stage: 'conflict', theirs, shown: 'mine', rows, isSaving: false, refusal: null} as const;
		if (topmost()?.path === writing.path) change(next);
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
		if (topmost() === writing || topmost()?.path === path) get().closeDialog();
		get().notify('good', `${path} is saved, ${Buffer.byteLength(mine).toLocaleString('en')} bytes`);
		get().showContent(server, {...entry, path, format: 'text', content: mine});
		void get().loadFolder(server, folderOf(path));
	};
	const put = async (writing: Writing, present: FileEntry | null): Promise<void> => {
		const {server, path, mine} = writing;
		const service = await client();
		const reply = await service.putFile(server, path, {content: mine, format: 'text', type: 'file'});
		if (reply.ok) return saved(writing, reply.value);
		if (!reply.failure.ambiguous) return refuse(writing, `Not saved. ${sentence(reply.failure)}`);
		// The answer is lost: what stands there now tells whether the write arrived.
		const now = await readFile(service, server, path);
		if ('failure' in now) return refuse(writing, `The service did not answer, so it is not known whether this was saved. ${explainFailure(now.failure).next}`);
		if (now.entry !== null && contentOf(now.entry) === mine) return saved(writing, now.entry);
		if ((now.entry === null) === (present === null) && contentOf(now.entry) === contentOf(present)) return refuse(writing, `Not saved. ${sentence({...reply.failure, ambiguous: false})}`);
		return conflict(writing, now.entry);
	};

	return {
		written: new Map(),
		async editFile(server, path) {
			const now = await readFile(await client(), server, path);
			if ('failure' in now) return get().notify('bad', sentence(now.failure));
			if (now.entry?.type === 'directory') return get().notify('info', `${path} is a folder`);
			if (now.entry !== null && !isText(now.entry)) return get().notify('info', `${path} is not text, so it is only shown here; download it to change it`);
			await editText(server, path, now.entry, contentOf(now.entry));
		},
		async proposeWrite(server, path, text) {
			const now = await readFile(await client(), server, path);
			if ('failure' in now) return get().notify('bad', sentence(now.failure));
			if (now.entry?.type === 'directory') return get().notify('info', `${path} is a folder`);
			await open({server, path, base: now.entry, mine: text, copy: null});
		},
		async saveWriting() {
			const writing = topmost();
			if (writing === null || writing.isSaving) return;
			change({isSaving: true, refusal: null});
			const mine = topmost() ?? writing;
			const now = await readFile(await client(), mine.server, mine.path);
			if ('failure' in now) return refuse(mine, `Not saved. ${sentence(now.failure)}`);
			const expected = mine.stage === 'diff' ? mine.base : (mine.theirs ?? null);
			const isAsExpected = (now.entry === null) === (expected === null) && contentOf(now.entry) === contentOf(expected);
			if (!isAsExpected) return conflict(mine, now.entry);
			await put(mine, now.entry);
		},
		keepMine: () => change({stage: 'overwrite'}),
		keepTheirs() {
			const writing = topmost();
			if (writing === null) return;
			get().closeDialog();
			if (writing.theirs) get().showContent(writing.server, writing.theirs);
			get().notify('info', `${writing.path} stays as it is there.${whereIs(writing)}`);
		},
		async editAgain() {
			const writing = topmost();
			if (writing === null || writing.isSaving) return;
			get().closeDialog();
			try {
				const copy = await edit(writing.mine, writing.path);
				writing.copy?.discard();
				// What another has written was shown: the next save is against that.
				await open({...writing, base: writing.theirs === undefined ? writing.base : writing.theirs, mine: copy.text, copy});
			} catch (error) {
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
			else get().notify('info', `Not saved.${whereIs(writing)}`);
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
			const now = await readFile(await client(), server, viewer.path);
			if ('failure' in now) return get().notify('bad', sentence(now.failure));
			if (now.entry !== null && contentOf(now.entry) === contentOf(file)) return get().notify('good', `${viewer.path} is on the server as it is shown here`);
			get().openDialog({kind: 'difference', path: viewer.path, rows: now.entry === null ? [{kind: 'note', text: 'It is no longer there.'}] : await differenceOf(contentOf(file), contentOf(now.entry))});
		},
	};
};
