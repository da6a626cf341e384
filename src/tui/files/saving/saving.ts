import type {FileEntry} from '../../../contract/files.ts';
import {parentOf} from '../../../contract/paths.ts';
import type {ByServer} from '../../core/store/by-server.ts';
import type {EditedText} from '../../core/store/deps.ts';
import {differenceOf} from './difference.ts';
import {
	isSameContent,
	contentOf,
	encodingOf,
	hasBytes,
	isText,
	readFile,
	sentence,
	textFile,
	type ServerFile,
} from '../content.ts';
import {
	baseAfter,
	isUnderWay,
	questionOf,
	sidesOf,
	transition,
	type SaveEvent,
	type Saving,
	type SaveState,
	type Writing,
} from './save-machine.ts';
import {saveQueue} from './save-queue.ts';
import {topDialog, route} from '../../core/store/route.ts';
import {messageOf} from '../../../text/errors.ts';
import {part, type App} from '../../core/app.ts';
import {notices} from '../../core/store/notices.ts';
import {fileViewer} from '../viewer/open-file.ts';
import {fileListing} from '../tree/listing.ts';
import {documents} from '../document.ts';

/** A completed save, in the form that undo needs. */
type Written = {readonly path: string; readonly before: FileEntry; readonly after: string};

export type FileWritingState = {
	/** The latest save on each server. */
	readonly written: ByServer<Written>;
	/** Paths that are being saved. */
	readonly saving: readonly string[];
};

export type FileSaving = {
	/**
	 * Opens a file in the user's editor, then shows the difference and asks before saving. If the
	 * path has no file, saving creates it.
	 */
	editAsItIs(server: string, path: string): Promise<void>;
	/**
	 * Continues with a text from an earlier run. `before`: content of the file when the user
	 * started to write. `take` is called once the program has taken over the text.
	 */
	resumeWriting(
		left: {
			readonly server: string;
			readonly path: string;
			readonly before: string | null;
			readonly mine: string;
			readonly copy: EditedText;
		},
		take: () => void,
	): Promise<void>;
	/** Resolves once no save is in progress; false if one failed. */
	savesEnd(): Promise<boolean>;
	/**
	 * Saves a text without showing the changes first; a conflict is still shown. Resolves when the
	 * save has ended.
	 */
	saveText(text: Pick<Writing, 'server' | 'path' | 'base' | 'mine'>): Promise<void>;
	/** Shows the changes that saving a text would make, and asks before saving. */
	reviewText(text: Pick<Writing, 'server' | 'path' | 'base' | 'mine'>): Promise<void>;
	/** Shows the changes that writing a text to a path would make, and asks first. */
	proposeWrite(server: string, path: string, text: string): Promise<void>;
	/** Saves the text of the topmost dialog, unless the file has changed since. */
	saveWriting(): Promise<void>;
	/** Chooses the user's version in a conflict; a question before overwriting follows. */
	keepMine(): void;
	/** Chooses the other version in a conflict. The user's text stays in its recovery copy. */
	keepTheirs(): void;
	/** Opens the text of the topmost dialog in the editor again. */
	editAgain(): Promise<void>;
	/** Shows the other difference of a conflict. */
	showOther(): Promise<void>;
	/** Closes the topmost dialog. The text stays in its recovery copy. */
	leaveWriting(): void;
	/** Shows the changes that undoing the last write would make, and asks before writing. */
	undoWrite(server: string): Promise<string | void>;
	/** Compares the open file with its current content on the server. */
	compareWithServer(server: string): Promise<string | void>;
};

const firstFileWriting = (): FileWritingState => ({written: new Map(), saving: []});

export const fileSaving = part(
	'fileSaving',
	({get, set, deps: {client, edit}}: App): FileSaving => {
		const queue = saveQueue(paths => set({saving: paths}));
		const topmost = (): Writing | null => {
			const dialog = get().dialogs.at(-1);
			return dialog?.kind === 'write-file' ? dialog.writing : null;
		};
		const whereIs = ({copy}: Writing): string => (copy ? ` Your text is under :edits, in ${copy.path}` : '');
		let last = 0;
		const open = async (
			writing: Pick<Writing, 'server' | 'path' | 'base' | 'mine' | 'copy'>,
			state: SaveState = {at: 'diff', refusal: null},
		): Promise<void> => {
			const begun = {...writing, id: ++last, state, rows: []};
			const rows = await differenceOf(begun.path, ...sidesOf(begun));
			route(get).openDialog({kind: 'write-file', writing: {...begun, rows}});
		};

		/** Notifies the user of a confirmed save. */
		const tellSaved = (
			{server, path, mine, copy}: Writing,
			{entry, before}: Extract<SaveState, {readonly at: 'saved'}>,
		): void => {
			copy?.discard();
			const written = new Map(get().written);
			if (before === null) written.delete(server);
			else written.set(server, {path, before, after: mine});
			set({written});
			notices(get).notify('good', `${path} is saved, ${Buffer.byteLength(mine).toLocaleString('en')} bytes`);
			fileViewer(get).showContent(server, {...entry, path, format: 'text', content: mine});
			documents(get).saved({server, path}, entry, mine);
			void fileListing(get).loadFolder(server, parentOf(path));
		};
		const tellLeft = (writing: Writing, {theirs}: Extract<SaveState, {readonly at: 'left'}>): void => {
			writing.copy?.leave();
			if (theirs) {
				documents(get).left(writing);
				fileViewer(get).showContent(writing.server, theirs);
			}
			const what = theirs === undefined ? 'Not saved.' : `${writing.path} was left unchanged on the server.`;
			notices(get).notify('info', `${what}${whereIs(writing)}`);
		};
		/** Shows the state of a text in its dialog, or in a notice if that dialog was closed. */
		const show = (writing: Writing): void => {
			const {state} = writing;
			const isShown = topmost()?.id === writing.id;
			if (state.at === 'saved' || state.at === 'left') {
				if (isShown) route(get).closeDialog();
				return state.at === 'saved' ? tellSaved(writing, state) : tellLeft(writing, state);
			}
			if (isShown)
				return route(get).changeDialog({...topDialog(get(), 'write-file'), kind: 'write-file', writing});
			if (state.at === 'conflict') return route(get).openDialog({kind: 'write-file', writing});
			if (isUnderWay(writing)) return;
			writing.copy?.leave();
			const refusal = 'refusal' in state ? state.refusal : null;
			notices(get).notify('bad', `${writing.path}: ${refusal}${whereIs(writing)}`);
		};
		/** Applies an event to a text and returns the new text. */
		const send = async (writing: Writing, event: SaveEvent): Promise<Writing> => {
			const state = transition(writing, event);
			if (state === writing.state) return writing;
			const moved = {...writing, state};
			const [sides, before] = [sidesOf(moved), sidesOf(writing)];
			const isSame = questionOf(moved) === null || sides.every((side, at) => side === before[at]);
			const next = isSame ? moved : {...moved, rows: await differenceOf(moved.path, ...sides)};
			show(next);
			return next;
		};
		/** Sends the next request of a save. */
		const ask = async (writing: Writing, state: Saving, own: string | null): Promise<SaveEvent> => {
			const service = await client();
			if (state.at !== 'putting') return {type: 'read', found: await readFile(service, writing), own};
			const {server, path, mine: content} = writing;
			const {tag} = state.over;
			const reply = await service.putFile(server, path, {content, format: 'text', type: 'file'}, {tag});
			return {type: 'put', reply};
		};
		/**
		 * Saves a text after the previous save of its file has ended. Resolves to the saved
		 * content, or to null if the text was not saved.
		 */
		const save = async (asked: Writing, earlier: Promise<string | null>): Promise<string | null> => {
			let writing = await send(asked, {type: 'save'});
			try {
				const own = await earlier;
				while (isUnderWay(writing))
					writing = await send(writing, await ask(writing, writing.state as Saving, own));
			} catch (error) {
				writing = await send(writing, {type: 'threw', message: messageOf(error)});
			}
			return writing.state.at === 'saved' ? writing.mine : null;
		};
		const sendTopmost = async (type: 'keepMine' | 'keepTheirs' | 'showOther' | 'close'): Promise<void> => {
			const writing = topmost();
			if (writing !== null) await send(writing, {type});
		};

		const editText = async (
			server: string,
			path: string,
			base: FileEntry | null,
			text: string,
		): Promise<void> => {
			try {
				const about = {what: 'file', server, path} as const;
				const copy = await edit({text, name: path, isNew: base === null, about});
				if (hasBytes(base, copy.text)) {
					copy.discard();
					return notices(get).notify('info', `${path} was left as it was`);
				}
				await open({server, path, base, mine: copy.text, copy});
			} catch (error) {
				notices(get).notify('bad', messageOf(error));
			}
		};
		/**
		 * The file on the server, or null if there is none. Undefined after a notice that it cannot
		 * be edited.
		 */
		const writable = async (file: ServerFile): Promise<FileEntry | null | undefined> => {
			const before = queue.onItsWay(file);
			const now = await readFile(await client(), file);
			if ('failure' in now) return void notices(get).notify('bad', sentence(now.failure));
			if (now.entry?.type === 'directory')
				return void notices(get).notify('info', `${file.path} is a folder`);
			if (now.entry !== null && !isText(now.entry)) {
				const encoding = encodingOf(now.entry);
				const why = encoding === null ? 'not text' : `${encoding}, and only UTF-8 is saved`;
				return void notices(get).notify(
					'info',
					`${file.path} is ${why}, so it is only shown here; download it to change it`,
				);
			}
			// A text that is still being saved counts as the file's content.
			const text = queue.onItsWay(file) ?? before;
			return text === undefined ? now.entry : {...now.entry, ...textFile(file.path, text)};
		};

		return {
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
				if ('failure' in now)
					return notices(get).notify('bad', `${sentence(now.failure)} Your text is in ${copy.path}`);
				route(get).chooseServer(server, 'files');
				if (hasBytes(now.entry, mine)) {
					copy.discard();
					return notices(get).notify('good', `${path} contains your text: it was saved`);
				}
				take();
				const base = before === null ? null : textFile(path, before);
				if (isSameContent(now.entry, base)) await open({server, path, base: now.entry, mine, copy});
				else await open({server, path, base, mine, copy}, {at: 'conflict', theirs: now.entry, shown: 'mine'});
			},
			async saveText(text) {
				const state = {at: 'diff', refusal: null} as const;
				const writing: Writing = {...text, copy: null, id: ++last, state, rows: []};
				await queue.add(writing, async earlier => save(writing, earlier));
			},
			reviewText: async text => open({...text, copy: null}),
			savesEnd: queue.end,
			async saveWriting() {
				const writing = topmost();
				if (writing !== null && !isUnderWay(writing))
					await queue.add(writing, async earlier => save(writing, earlier));
			},
			keepMine: () => void sendTopmost('keepMine'),
			keepTheirs: () => void sendTopmost('keepTheirs'),
			showOther: async () => sendTopmost('showOther'),
			leaveWriting() {
				const writing = topmost();
				if (writing === null) return;
				if (!isUnderWay(writing)) return void sendTopmost('close');
				route(get).closeDialog();
				notices(get).notify('info', `${writing.path} is still being saved`);
			},
			async editAgain() {
				const writing = topmost();
				if (writing === null) return;
				route(get).closeDialog();
				const {server, path} = writing;
				try {
					const copy = await edit({
						text: writing.mine,
						name: path,
						isNew: writing.base === null,
						about: {what: 'file', server, path},
					});
					writing.copy?.discard();
					await open({server, path, base: baseAfter(writing), mine: copy.text, copy});
				} catch (error) {
					writing.copy?.leave();
					notices(get).notify('bad', `${messageOf(error)}${whereIs(writing)}`);
				}
			},
			async undoWrite(server) {
				const written = get().written.get(server);
				if (written === undefined) return 'Nothing to undo: nothing was written here yet';
				await fileSaving(get).proposeWrite(server, written.path, contentOf(written.before));
			},
			async compareWithServer(server) {
				const viewer = get().viewers.get(server);
				const file = viewer?.file.value;
				if (viewer === undefined || file === undefined || !isText(file))
					return file && encodingOf(file) !== null
						? `This file is ${encodingOf(file)}: only UTF-8 is compared`
						: 'Open a text file first';
				const now = await readFile(await client(), {server, path: viewer.path});
				if ('failure' in now) return notices(get).notify('bad', sentence(now.failure));
				if (now.entry !== null && contentOf(now.entry) === contentOf(file))
					return notices(get).notify('good', `${viewer.path} is the same on the server as shown here`);
				route(get).openDialog({
					kind: 'difference',
					path: viewer.path,
					rows:
						now.entry === null
							? [{kind: 'note', text: 'It is no longer there.'}]
							: await differenceOf(viewer.path, contentOf(file), contentOf(now.entry)),
				});
			},
		};
	},
	firstFileWriting,
);
