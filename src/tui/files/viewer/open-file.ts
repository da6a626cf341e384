import type {FileEntry} from '../../../contract/files.ts';
import {asAsked, decodedFile, isNotebook, LONG_TEXT, textOf} from '../content.ts';
import {firstCellsOf} from './notebook-preview.ts';
import {finderOf, nextTurn, NO_MATCH, type FindState, type WordFinder} from './finder.ts';
import {createLineIndex, type LineIndex} from '../../../text/columns/line-index.ts';
import {TOP, type TextPosition} from '../../../text/columns/viewport.ts';
import {changed, type ByServer} from '../../core/store/by-server.ts';
import {idle, toLoading, toSettled, type Remote} from '../../core/store/remote.ts';
import {part, type App} from '../../core/app.ts';

/** An open file and its view. Lines count from 0. */
export type Viewer = {
	readonly path: string;
	readonly file: Remote<FileEntry>;
	/**
	 * Start of a long text, for display only. Shown while the rest is loading, or if the rest did
	 * not arrive.
	 */
	readonly beginning: FileEntry | null;
	readonly top: TextPosition;
	/** Number of columns scrolled sideways. */
	readonly left: number;
	readonly wrapped: boolean;
	/** True if the file is shown as text although it can be formatted. */
	readonly raw: boolean;
	/** Unfolded levels of a JSON file. */
	readonly levels: number;
	/** Line that the user jumped to. */
	readonly line: number | null;
	/** Index of the selected cell among a notebook's code cells. */
	readonly cell: number | null;
	/** Marked lines, from the first mark to the current line. */
	readonly mark: {readonly from: number; readonly to: number} | null;
	readonly find: FindState | null;
	/** Number of lines indexed so far. A large file is indexed step by step. */
	readonly known: number;
};

type ViewerLook = Pick<
	Viewer,
	'top' | 'left' | 'wrapped' | 'raw' | 'levels' | 'line' | 'cell' | 'mark' | 'find'
>;

export type ViewerState = {
	/** The open file of each server. */
	readonly viewers: ByServer<Viewer>;
};

export type FileViewer = WordFinder & {
	/**
	 * Opens a file at a line, counted from 1. Reloads a file that is already open. Resolves to the
	 * kind of the path; if it is a folder, the viewer closes.
	 */
	openFile(server: string, path: string, line?: number): Promise<'file' | 'folder' | 'none'>;
	/**
	 * Resolves to the open file when it is completely loaded. Undefined if no file is open, or if
	 * the user opens another file in the meantime.
	 */
	wholeFile(server: string): Promise<FileEntry | undefined>;
	/** Scrolls to a line, counted from 1. */
	goToLine(server: string, line: number): void;
	closeFile(server: string): void;
	changeViewer(server: string, change: Partial<ViewerLook>): void;
	/** Shows known content of a file without sending a request. */
	showContent(server: string, file: FileEntry): void;
};

/** Number of UTF-16 units that are indexed in one step, which takes about a millisecond. */
const INDEX_STEP = 4_000_000;

const NEW_VIEW = {
	top: TOP,
	left: 0,
	line: null,
	cell: null,
	mark: null,
	find: null,
	known: 0,
	beginning: null,
	raw: false,
	levels: 2,
} as const;

const indexes = new WeakMap<FileEntry, LineIndex>();

/** The indexed lines of a file. Null if the file has no text. */
export const lineIndexOf = (file: FileEntry): LineIndex | null => {
	const text = textOf(file);
	if (text === null) return null;
	const index = indexes.get(file) ?? createLineIndex(text);
	if (!indexes.has(file)) index.advance(INDEX_STEP);
	indexes.set(file, index);
	return index;
};

/** The shown part of an open file. */
export const fileShown = ({file, beginning}: Viewer): FileEntry | undefined =>
	file.value ?? beginning ?? undefined;

/** True if only the start of the file arrived. */
export const isBrokenOff = ({file, beginning}: Viewer): boolean =>
	beginning !== null && file.status === 'failed';

/**
 * The whole lines at the start of a long text, marked as incomplete. Null for a notebook whose
 * cells do not come first.
 */
const beginningIn = (entry: FileEntry): FileEntry | null => {
	const text = textOf(entry) ?? '';
	const cut = text.lastIndexOf('\n') + 1;
	const beginning = {...entry, content: cut > LONG_TEXT ? text.slice(0, cut) : text};
	if (isNotebook(entry.path) && firstCellsOf(beginning.content) === null) return null;
	const index = createLineIndex(beginning.content);
	index.advance(Infinity);
	indexes.set(beginning, {...index, complete: false});
	return beginning;
};

/**
 * The view at a line, with a few lines above. Shows plain text, because only plain text has line
 * numbers.
 */
const atLine = (line: number): Pick<Viewer, 'line' | 'top' | 'left' | 'raw'> => ({
	raw: true,
	line: line - 1,
	top: {line: Math.max(0, line - 6), piece: 0, row: 0},
	left: 0,
});

const firstViewer = (): ViewerState => ({viewers: new Map()});

export const fileViewer = part(
	'fileViewer',
	({get, set, deps: {client, now}}: App): FileViewer => {
		const change = (server: string, how: (viewer: Viewer) => Partial<Viewer>): void => {
			const viewer = get().viewers.get(server);
			if (viewer) set({viewers: changed(get().viewers, server, viewer, old => ({...old, ...how(old)}))});
		};
		const put = (server: string, viewer: Viewer): void =>
			set({viewers: new Map(get().viewers).set(server, viewer)});
		const requests = new Map<string, AbortController>();
		/** Reads in progress, by server name. */
		const readings = new Map<string, Promise<unknown>>();

		/** Indexes the remaining lines step by step, so that keys are not delayed. */
		const indexRest = async (server: string, file: FileEntry): Promise<void> => {
			const index = lineIndexOf(file);
			const isShown = (): boolean => get().viewers.get(server)?.file.value === file;
			if (index === null) return;
			while (isShown()) {
				change(server, () => ({known: index.count}));
				if (index.complete) return;
				await nextTurn();
				index.advance(INDEX_STEP);
			}
		};

		const read: FileViewer['openFile'] = async (server, path, line) => {
			requests.get(server)?.abort();
			const mine = new AbortController();
			requests.set(server, mine);
			const old = get().viewers.get(server);
			const isSame = old?.path === path;
			const at = line === undefined ? {} : atLine(line);
			put(server, {
				wrapped: false,
				...NEW_VIEW,
				...(old && {wrapped: old.wrapped}),
				...(isSame && old),
				path,
				file: toLoading<FileEntry>(isSame ? old.file : idle),
				...at,
			});
			const onBeginning = (entry: FileEntry): void => {
				const isAsked = !mine.signal.aborted && get().viewers.get(server)?.file.value === undefined;
				const beginning = isAsked ? beginningIn(asAsked(entry, path)) : null;
				if (beginning !== null)
					change(server, () => ({beginning, known: lineIndexOf(beginning)?.count ?? 0}));
			};
			const asked = await client();
			const answer = await asked.getFile(server, path, {signal: mine.signal, onBeginning});
			const reply = answer.ok ? {...answer, value: decodedFile(asAsked(answer.value, path))} : answer;
			if (mine.signal.aborted) return 'none';
			if (reply.ok && reply.value.type === 'directory') {
				fileViewer(get).closeFile(server);
				return 'folder';
			}
			change(server, viewer => {
				// The text has changed, so earlier matches are no longer valid.
				const isOther = reply.ok && viewer.file.value?.content !== reply.value.content;
				return {
					file: toSettled<FileEntry>(viewer.file, reply, now()),
					beginning: reply.ok ? null : viewer.beginning,
					...(isOther && {find: viewer.find && {...viewer.find, ...NO_MATCH}}),
					...(isOther && viewer.beginning === null && {mark: null, cell: null}),
				};
			});
			if (reply.ok) void indexRest(server, reply.value);
			return reply.ok ? 'file' : 'none';
		};

		const finder = finderOf(get, change);

		return {
			openFile(server, path, line) {
				const reading = read(server, path, line);
				readings.set(server, reading);
				return reading;
			},
			async wholeFile(server) {
				const asked = get().viewers.get(server);
				if (asked?.beginning) await readings.get(server);
				const viewer = get().viewers.get(server);
				return viewer?.path === asked?.path ? viewer?.file.value : undefined;
			},
			goToLine: (server, line) =>
				change(server, ({known}) => atLine(Math.max(1, Math.min(line, Math.max(known, 1))))),
			closeFile(server) {
				requests.get(server)?.abort();
				const viewers = new Map(get().viewers);
				viewers.delete(server);
				set({viewers});
			},
			changeViewer: (server, next) => change(server, () => next),
			...finder,
			showContent(server, file) {
				if (get().viewers.get(server)?.path !== file.path) return;
				change(server, () => ({file: {status: 'ready', value: file, at: now()}, beginning: null}));
				void indexRest(server, file);
			},
		};
	},
	firstViewer,
);
