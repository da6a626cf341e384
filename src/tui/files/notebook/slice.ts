// Over 250 lines with its comments: what a notebook that is worked in holds, keeps beside its file and saves.
import type {CellOutput} from '../../../contract/cells.ts';
import type {FileEntry} from '../../../contract/files.ts';
import type {EditedText} from '../../core/store/deps.ts';
import type {Slice} from '../../core/program.ts';
import type {Deps} from '../../core/store/deps.ts';
import {readNotebook, type Notebook} from '../../../text/notebook/notebook.ts';
import {indexOfKey, withFilledCells, type Filling} from '../../../text/notebook/worked.ts';
import {notebookText} from '../../../text/notebook/written.ts';
import {label} from '../../../text/safe.ts';
import {messageOf} from '../../../text/errors.ts';
import {pictureIn} from '../../repl/cell.ts';
import {readPicture, type Picture} from '../../pictures/read-picture.ts';
import {contentOf, isNotebook, isText, keyOf, textFile, type ServerFile} from '../content.ts';
import {
	asSaved,
	asTyped,
	isPendingRun,
	isUnsaved,
	kernelAfter,
	notebookOn,
	type OpenNotebook,
} from './open-notebook.ts';
import {createNotebookRunner} from './runner.ts';

export type NotebooksSlice = {
	/** Those that are worked in, by server and path. */
	readonly notebooks: ReadonlyMap<string, OpenNotebook>;
	/** Begins to work in the notebook that a server's viewer shows. A sentence says why that cannot be. */
	workInNotebook(server: string): Promise<string | void>;
	/** Opens a file of a server and begins to work in it. */
	openNotebook(server: string, path: string): Promise<void>;
	/** Puts a cell from elsewhere below the chosen one of the notebook that a server's viewer shows. */
	putInNotebook(server: string, cell: Filling): Promise<void>;
	/** Goes on with the text of a notebook that an earlier program has left. */
	resumeNotebook(
		left: ServerFile & {readonly before: string; readonly mine: string; readonly copy: EditedText},
	): Promise<boolean>;
	changeNotebook(file: ServerFile, how: (open: OpenNotebook) => Partial<OpenNotebook>): void;
	/** Changes the cells, as one step that can be taken back. */
	workNotebook(
		file: ServerFile,
		how: (
			notebook: Notebook,
			open: OpenNotebook,
		) => {readonly notebook: Notebook; readonly at?: number} | null,
	): void;
	runNotebook(file: ServerFile, keys: readonly number[]): void;
	/** False: nothing of it runs. */
	stopNotebook(file: ServerFile): boolean;
	answerNotebook(file: ServerFile): void;
	saveNotebook(file: ServerFile): Promise<void>;
	/** Shows what saving would change, and asks. */
	reviewNotebook(file: ServerFile): Promise<void>;
	/** A text stands in the file. */
	notebookSaved(file: ServerFile, entry: FileEntry, text: string): void;
	/** What was written is given up for what is in the file. */
	notebookLeft(file: ServerFile): void;
	readNotebookPictures(file: ServerFile, outputs: readonly CellOutput[]): void;
};

const MOST_STEPS = 100;

/** Another text cannot take its place: something would be lost. */
const isWorkedIn = (open: OpenNotebook): boolean =>
	isUnsaved(open) || open.editing !== null || open.isOutside || [...open.runs.values()].some(isPendingRun);

const pictures = new WeakMap<object, Picture | null>();
/** The picture of an output; undefined while it is not read. */
export const pictureOfOutput = (output: object): Picture | undefined => pictures.get(output) ?? undefined;

export const createNotebooksSlice =
	({client, now, keepCopy, saver}: Deps): Slice<NotebooksSlice> =>
	(set, get, store) => {
		const put = (open: OpenNotebook): void =>
			set({notebooks: new Map(get().notebooks).set(keyOf(open), open)});
		const openOf = (file: ServerFile): OpenNotebook | undefined => get().notebooks.get(keyOf(file));

		let hasFailed = false;
		const cannotKeep = (path: string, error: unknown): void => {
			if (!hasFailed)
				get().notify(
					'bad',
					`What you change in ${label(path, 200)} cannot be kept on disk until it is saved: ${messageOf(error)}`,
				);
			hasFailed = true;
		};
		const drafts = saver?.(() => {
			for (const open of get().notebooks.values()) {
				if (open.copy === null || !isUnsaved(open)) continue;
				let isBehind = false;
				try {
					open.copy.write(notebookText(asSaved(open)));
				} catch (error) {
					isBehind = true;
					cannotKeep(open.path, error);
				}
				if (isBehind !== open.isCopyBehind) put({...open, isCopyBehind: isBehind});
			}
		});
		const copying = new Set<string>();
		/** A copy of what is unsaved, which takes the place of the one before it. */
		const makeCopy = async (open: OpenNotebook, make: NonNullable<typeof keepCopy>): Promise<void> => {
			const id = keyOf(open);
			const {server, path, base} = open;
			copying.add(id);
			try {
				const copy = await make({
					text: contentOf(base),
					name: path,
					isNew: false,
					about: {what: 'file', server, path},
				});
				const now = openOf(open);
				try {
					if (now !== undefined) copy.write(notebookText(asSaved(now)));
				} catch (error) {
					copy.discard();
					throw error;
				}
				if (now === undefined || !isUnsaved(now)) return copy.discard();
				change(open, () => ({copy, isCopyBehind: false}));
				now.copy?.discard();
			} catch (error) {
				cannotKeep(path, error);
			} finally {
				copying.delete(id);
			}
		};
		/** A text that nobody has saved is kept beside the file, never in it. `isAnew`: the file holds another text than the copy says. */
		const keep = async (file: ServerFile, isAnew = false): Promise<void> => {
			const open = openOf(file);
			if (open === undefined || keepCopy === undefined) return;
			if (!isUnsaved(open)) {
				open.copy?.discard();
				if (open.copy !== null) change(file, () => ({copy: null}));
				return;
			}
			if ((open.copy === null || isAnew) && !copying.has(keyOf(file))) await makeCopy(open, keepCopy);
			drafts?.changed();
		};
		const change = (file: ServerFile, how: (open: OpenNotebook) => Partial<OpenNotebook>): void => {
			const open = openOf(file);
			if (open === undefined) return;
			const next = {...open, ...how(open)};
			put(next);
			const isAnother =
				next.notebook !== open.notebook ||
				next.kernel !== open.kernel ||
				next.editing?.text !== open.editing?.text;
			if (isAnother) void keep(file);
		};
		const runner = createNotebookRunner({client, now, get, change});

		const opened = (
			file: ServerFile,
			base: FileEntry,
			{saved, notebook}: {readonly saved: Notebook; readonly notebook: Notebook},
		): OpenNotebook => {
			const at = notebook.cells[0]?.key ?? -1;
			return {
				server: file.server,
				path: file.path,
				base,
				notebook,
				saved,
				sent: new Map(),
				kernel: null,
				at,
				editing: null,
				isOutside: false,
				top: {key: at, row: 0},
				runs: new Map(),
				asks: null,
				past: [],
				unfolded: new Set(),
				hidden: new Set(),
				sideways: new Map(),
				find: null,
				pictures: 0,
				copy: null,
				isCopyBehind: false,
			};
		};
		/** Takes what stands in the file in place of what was read before. */
		const takeFile = (file: ServerFile, base: FileEntry): void => {
			const open = openOf(file);
			const read = readNotebook(contentOf(base));
			if (open === undefined) return;
			if (typeof read === 'string') return drop(file);
			const index = Math.min(indexOfKey(open.notebook, open.at), read.cells.length - 1);
			const at = read.cells[Math.max(0, index)]?.key ?? -1;
			put({
				...opened(file, base, {saved: read, notebook: read}),
				kernel: kernelAfter(open, read),
				at,
				top: {key: at, row: 0},
			});
			readAll(file, read);
		};
		const drop = (file: ServerFile): void => {
			const notebooks = new Map(get().notebooks);
			notebooks.delete(keyOf(file));
			set({notebooks});
		};
		const readAll = (file: ServerFile, {cells}: Notebook): void => {
			for (const {outputs} of cells) get().readNotebookPictures(file, outputs);
		};
		// A file that another has changed is shown as it is now, as long as nothing here would be lost.
		store.subscribe((state, old) => {
			if (state.viewers === old.viewers || state.notebooks.size === 0) return;
			for (const [server, {path, file}] of state.viewers) {
				const {value} = file;
				const open = state.notebooks.get(keyOf({server, path}));
				if (value === undefined || open === undefined || value === old.viewers.get(server)?.file.value)
					continue;
				if (value.path !== path || !isText(value) || contentOf(value) === contentOf(open.base)) continue;
				if (isWorkedIn(open) || state.saving.includes(path)) continue;
				takeFile(open, value);
			}
		});

		return {
			notebooks: new Map(),
			async workInNotebook(server) {
				const viewer = get().viewers.get(server);
				const base = viewer?.file.value;
				if (viewer === undefined || base === undefined) return 'There is no notebook here yet';
				const file = {server, path: viewer.path};
				if (openOf(file) !== undefined) return get().changeViewer(server, {raw: false});
				const read = isText(base) ? readNotebook(contentOf(base)) : 'it is not text';
				if (typeof read === 'string') return `This notebook is only shown: ${read}`;
				const kept = await get().keptEditOf(server, viewer.path);
				if (kept !== undefined) return get().showEdit(kept);
				put(opened(file, base, {saved: read, notebook: read}));
				get().changeViewer(server, {raw: false});
				readAll(file, read);
			},
			async openNotebook(server, path) {
				get().focusPart('files', 'viewer');
				get().go('files');
				await get().goToPath(server, path);
				if (get().viewers.get(server)?.path !== path) return;
				const why = await get().workInNotebook(server);
				if (typeof why === 'string') get().notify('info', why);
			},
			async putInNotebook(server, cell) {
				if (isNotebook(get().viewers.get(server)?.path ?? '') && notebookOn(get(), server) === undefined) {
					const why = await get().workInNotebook(server);
					if (typeof why === 'string') return get().notify('info', why);
				}
				const file = notebookOn(get(), server);
				if (file === undefined) {
					if (get().dialogs.length === 0)
						get().notify(
							'info',
							`No notebook is open on ${label(server, 60)}: :notebook makes one of these cells, :file opens one`,
						);
					return;
				}
				get().workNotebook(file, (notebook, {at: chosen}) => {
					const made = withFilledCells(notebook, indexOfKey(notebook, chosen) + 1, [cell]);
					return {notebook: made.notebook, at: made.key};
				});
				get().readNotebookPictures(file, cell.outputs ?? []);
				const {notebook, at} = openOf(file) ?? file;
				get().notify(
					'good',
					`Added as cell ${indexOfKey(notebook, at) + 1}/${notebook.cells.length} of ${label(file.path, 200)}, not saved yet`,
				);
			},
			async resumeNotebook({server, path, before, mine, copy}) {
				const saved = readNotebook(before);
				const notebook = readNotebook(mine);
				if (typeof saved === 'string' || typeof notebook === 'string') return false;
				const file = {server, path};
				get().chooseServer(server, 'files');
				get().focusPart('files', 'viewer');
				await get().openFile(server, path);
				const had = openOf(file);
				if (had !== undefined && isWorkedIn(had)) {
					get().notify(
						'info',
						`Save ${label(path, 200)} first: it is open here, and what you left of it stays`,
					);
					return true;
				}
				put(opened(file, textFile(path, before), {saved, notebook}));
				readAll(file, notebook);
				await keep(file);
				// Its copy goes only where another has taken its place.
				if (openOf(file)?.copy) copy.discard();
				return true;
			},
			changeNotebook: change,
			workNotebook(file, how) {
				const open = openOf(file);
				if (open === undefined) return;
				const typed = asTyped(open);
				const done = how(typed, open);
				if (done === null) return;
				const at = done.at ?? open.at;
				const isSame =
					done.notebook.cells.length === typed.cells.length &&
					done.notebook.cells.every((cell, index) => cell === typed.cells[index]);
				change(file, () => ({
					at,
					editing: null,
					...(isSame
						? {notebook: typed}
						: {
								notebook: done.notebook,
								past: [...open.past.slice(1 - MOST_STEPS), {notebook: typed, at: open.at}],
							}),
				}));
			},
			runNotebook: (file, keys) => void runner.run(file, keys),
			stopNotebook: runner.stop,
			answerNotebook: runner.answer,
			async saveNotebook(file) {
				const open = openOf(file);
				if (open === undefined) return;
				const notebook = asSaved(open);
				const text = notebookText(notebook);
				change(file, ({sent}) => ({sent: new Map(sent).set(text, notebook)}));
				await get().saveText({server: open.server, path: open.path, base: open.base, mine: text});
			},
			async reviewNotebook(file) {
				const open = openOf(file);
				if (open === undefined) return;
				const notebook = asSaved(open);
				const text = notebookText(notebook);
				if (text === contentOf(open.base)) return get().notify('info', 'Saving would change nothing');
				change(file, ({sent}) => ({sent: new Map(sent).set(text, notebook)}));
				await get().reviewText({server: open.server, path: open.path, base: open.base, mine: text});
			},
			notebookSaved(file, entry, text) {
				const open = openOf(file);
				if (open === undefined) return;
				const base: FileEntry = {...entry, path: file.path, format: 'text', content: text};
				const whole = asSaved(open);
				const isAll = notebookText(whole) === text;
				const saved = isAll ? whole : open.sent.get(text);
				if (saved === undefined) {
					// Of another writer here: what is unsaved stays, and saving it asks.
					if (!isWorkedIn(open)) takeFile(file, base);
					return;
				}
				const sent = new Map(isAll ? [] : open.sent);
				sent.delete(text);
				if (isAll) open.copy?.discard();
				const {head, tail, kernel: name, language} = saved;
				change(file, ({notebook, kernel, editing, copy}) => ({
					base,
					sent,
					saved,
					copy: isAll ? null : copy,
					notebook: isAll && editing !== null ? whole : {...notebook, head, tail, kernel: name, language},
					...(kernel?.name === name && {kernel: {name: kernel.name, spec: null}}),
				}));
				if (!isAll) void keep(file, true);
			},
			notebookLeft(file) {
				const open = openOf(file);
				if (open === undefined) return;
				const {copy, path} = open;
				if (!isUnsaved(open)) return drop(file);
				try {
					if (copy === null) throw new Error('there is no copy of it');
					copy.write(notebookText(asSaved(open)));
					copy.leave();
				} catch (error) {
					const why = messageOf(error);
					return get().notify(
						'bad',
						`What you wrote in ${label(path, 200)} stays open, since it cannot be kept: ${why}`,
					);
				}
				get().notify('info', `What you wrote in ${label(path, 200)} stays under :edits, in ${copy.path}`);
				drop(file);
			},
			readNotebookPictures(file, outputs) {
				for (const output of outputs) {
					const base64 = pictureIn(output);
					if (base64 === null || pictures.has(output)) continue;
					pictures.set(output, null);
					void readPicture(Buffer.from(base64, 'base64')).then(picture => {
						pictures.set(output, picture);
						change(file, open => ({pictures: open.pictures + 1}));
					});
				}
			},
		};
	};
