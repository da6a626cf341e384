import type {SentPicture} from '../pictures/sent.ts';
import {movedSideways} from '../cells/rows/sideways.ts';
import type {State} from '../core/program.ts';
import {isNotebook, tableOfFile, textOf} from './content.ts';
import {frameCode} from './frame-code.ts';
import {fileShown, isBrokenOff, type Viewer, fileViewer, type FileViewer} from './viewer/open-file.ts';
import {languageOfFile} from '../../text/python/code-language.ts';
import {
	movedBy,
	clampTop,
	scrollToOffset,
	TOP,
	type TextPosition,
	type ViewportText,
	type Window,
} from '../../text/columns/viewport.ts';
import {clamp} from '../core/components/scroll.ts';
import {keyFor} from '../core/keys/live-keys.ts';
import {notebookKeys, NOT_YET, type WithText} from './viewer/viewer-notebook-keys.ts';
import {findKeys} from './viewer-find.ts';
import {pictureBytes} from './viewer/pictures.ts';
import type {Shown} from './viewer/shown.ts';
import {attach, runInRepl} from './ports.ts';
import {notices} from '../core/store/notices.ts';
import {clipboard} from '../core/store/clipboard.ts';
import {documents} from './document.ts';
import {openTableFile} from '../tables/open-table-file.ts';
import {TABLE_FILES, tableFileKind} from '../../tables/read-table-file.ts';
import {tableViewer} from '../tables/tables.ts';
import {pictureViewer} from '../pictures/pictures.ts';
import {route} from '../core/store/route.ts';
import {unsavedEdits} from './saving/unsaved-edits.ts';
import {fileSaving} from './saving/saving.ts';
import {withoutEnd} from '../../text/ends.ts';

/** Text of the marked lines with their line ends, or of the whole file without marks. */
export const markedText = ({index}: Pick<ViewportText, 'index'>, mark: Viewer['mark']): string => {
	if (mark === null) return index.text;
	const last = Math.max(mark.from, mark.to);
	return index.text.slice(
		index.start(Math.min(mark.from, mark.to)),
		last + 1 < index.count ? index.start(last + 1) : index.text.length,
	);
};

/** A range of lines as `12` or `12-15`, counted from 1. */
export const rangeText = ({from, to}: {readonly from: number; readonly to: number}): string => {
	const [first, last] = [Math.min(from, to) + 1, Math.max(from, to) + 1];
	return first === last ? `${first}` : `${first}-${last}`;
};

/** Lines of a code block without their common indentation. */
export const dedented = (text: string): string => {
	const lines = withoutEnd(text, '\r\n').split('\n');
	const indents = lines.filter(line => line.trim() !== '').map(line => /^[ \t]*/.exec(line)?.[0] ?? '');
	const least = indents.reduce(
		(shortest, indent) => (indent.length < shortest.length ? indent : shortest),
		indents[0] ?? '',
	);
	return indents.every(indent => indent.startsWith(least))
		? lines.map(line => (line.startsWith(least) ? line.slice(least.length) : line)).join('\n')
		: lines.join('\n');
};

const SIDEWAYS = 8;
/**
 * Target of `G`: a position beyond the last line. The number of lines may be unknown while lines
 * are indexed, and earlier keys of the same burst may have changed the view.
 */
export const END: TextPosition = {line: Number.MAX_SAFE_INTEGER, piece: 0, row: 0};
const whyNotWhole = (viewer: Viewer | undefined): string =>
	viewer !== undefined && isBrokenOff(viewer)
		? `Only the beginning of this file arrived: ${keyFor('global.refresh')} reads it again`
		: 'The rest of this file is still being read: press the key again in a moment';
/** Longest text that is copied, in UTF-16 units. Terminals accept no longer text. */
const MOST_COPIED = 1_000_000;

/**
 * Handlers of the viewer, its search field and line marks. `shown` returns the view as it is now,
 * without colours.
 */
export const viewerKeys = (get: () => State, server: string, shown: () => Shown) => {
	const viewer = (): Viewer | undefined => get().viewers.get(server);
	const change = (next: Parameters<FileViewer['changeViewer']>[1]): void =>
		fileViewer(get).changeViewer(server, next);
	const withText: WithText = act => () => {
		const now = viewer();
		const drawn = shown();
		return now && drawn ? act(drawn.sheet, drawn.window, now) : NOT_YET;
	};
	const asItIs = (): string => `${keyFor('viewer.raw')} shows the plain text, where this works`;
	/** Refuses an action that needs the lines of the file while a formatted view is shown. */
	const withLines: WithText = act => (): string | void => (shown()?.isLaidOut ? asItIs() : withText(act)());
	const notebook = notebookKeys({get, server, withText, change});
	const fold = (step: number) => (): string | void => {
		const drawn = shown();
		if (drawn?.kind === 'notebook' && drawn.isLaidOut) return notebook.nextCell(drawn.code, step);
		const levels = (viewer()?.levels ?? 0) + step;
		if (drawn?.kind !== 'json' || !drawn.isLaidOut) return 'Only formatted JSON can be folded';
		change({levels: clamp(levels, 0, 50)});
	};
	const by = (rows: (window: Window) => number) =>
		withText((sheet, window, now) =>
			change({top: movedBy(sheet, clampTop(sheet, now.top, window), rows(window), window)}),
		);

	const say = (reason: string | void): void => {
		if (typeof reason === 'string') notices(get).notify('info', reason);
	};

	const find = findKeys({get, server, withText, change}, shown);

	const sideways = (step: 1 | -1) => (): string | void => {
		const left = viewer()?.left ?? 0;
		const drawn = shown();
		const rowsAt = drawn?.laid?.rowsAt;
		if (drawn && rowsAt) {
			const {sheet, window} = drawn;
			const from = clampTop(sheet, viewer()?.top ?? TOP, window).line;
			const to = movedSideways(rowsAt(from, window.height), left, step);
			if (typeof to === 'string') return to;
			return change({left: to});
		}
		if (viewer()?.wrapped && step > 0) return `Lines are wrapped: ${keyFor('viewer.wrap')} turns that off`;
		change({left: Math.max(0, left + step * SIDEWAYS)});
	};
	const withPicture = (act: (picture: SentPicture) => void) => (): string | void => {
		const file = viewer()?.file.value;
		if (file === undefined) return NOT_YET;
		const bytes = pictureBytes(file);
		if (bytes === null) return 'Only a PNG, JPEG or SVG file opens as a picture';
		act({name: file.path || file.name, bytes});
	};
	const moveMark = (to: (sheet: ViewportText, at: number, page: number) => number) =>
		withText((sheet, window, now) => {
			if (!now.mark) return;
			const line = clamp(to(sheet, now.mark.to, window.height - 1), 0, sheet.index.count - 1);
			change({
				mark: {from: now.mark.from, to: line},
				...scrollToOffset(sheet, now.top, sheet.index.start(line), {...window, left: 0}),
				left: now.left,
			});
		});
	const copy = withText((sheet, _, now) => {
		const {value} = now.file;
		if (now.mark === null && value === undefined) return whyNotWhole(now);
		const whole = value && textOf(value);
		const text = now.mark ? markedText(sheet, now.mark) : whole;
		if (text === null || text === undefined)
			return 'Only text can be copied: download saves the file here unchanged';
		if (text.length > MOST_COPIED)
			return `Too long for the terminal's clipboard (${Math.round(text.length / 1000).toLocaleString('en')} K): mark some lines`;
		change({mark: null});
		return clipboard(get).copy(
			text,
			now.mark
				? `${rangeText(now.mark).includes('-') ? 'Lines' : 'Line'} ${rangeText(now.mark)}`
				: 'The file',
		);
	});

	const attachFile = (): string | void => {
		const now = viewer();
		if (now === undefined) return NOT_YET;
		const lines = now.mark && {
			from: Math.min(now.mark.from, now.mark.to) + 1,
			to: Math.max(now.mark.from, now.mark.to) + 1,
		};
		return attach(get, {kind: 'file', path: now.path, ...lines});
	};
	const run = withText((sheet, _, now) => {
		const drawn = shown();
		if (now.mark === null && drawn?.isLaidOut)
			return drawn.kind === 'notebook' ? notebook.runCell(drawn.code) : asItIs();
		if (now.mark === null && !/\.pyw?$/.test(now.path))
			return 'Only Python runs: mark lines to run a part of another file';
		if (now.mark === null && now.file.value === undefined) return whyNotWhole(now);
		const language = languageOfFile(now.path) ?? '';
		// `''` skips the language check: marked lines of Markdown may be code in any language, and
		// a whole file that runs is Python.
		const needed = now.mark === null || language === 'markdown' ? '' : language;
		const other = runInRepl(get, server, [dedented(markedText(sheet, now.mark))], needed);
		if (other !== undefined) return `This file is ${other}: ${keyFor('marks.copy')} copies the lines`;
		change({mark: null});
		route(get).focus('repl');
	});

	return {
		viewer: {
			up: by(() => -1),
			down: by(() => 1),
			pageUp: by(({height}) => 1 - height),
			pageDown: by(({height}) => height - 1),
			first: withText(() => change({top: TOP})),
			last: withText(() => change({top: END})),
			work: () =>
				isNotebook(viewer()?.path ?? '')
					? void documents(get).open(server).then(say)
					: 'Only a notebook can be edited cell by cell',
			left: () => (viewer()?.left === 0 ? route(get).focusPart('files', 'tree') : sideways(-1)()),
			right: sideways(1),
			wrap: withLines((sheet, window, now) =>
				change({
					wrapped: !now.wrapped,
					left: 0,
					top: {line: clampTop(sheet, now.top, window).line, piece: 0, row: 0},
				}),
			),
			find: find.begin,
			nextMatch: find.nextMatch,
			previousMatch: find.previousMatch,
			raw() {
				const drawn = shown();
				if (drawn === null) return NOT_YET;
				if (drawn.kind === 'text') return 'There is no other way to show this file';
				if (drawn.problem !== null) return `This file is shown as text: ${drawn.problem}`;
				if (drawn.kind === 'binary' || drawn.kind === 'picture')
					return 'This is not text: download saves it here unchanged';
				fileViewer(get).stopFinding(server);
				change({raw: !viewer()?.raw, top: TOP, left: 0, line: null});
			},
			table() {
				const now = viewer();
				if (now?.file.value === undefined && !now?.beginning) return NOT_YET;
				if (isBrokenOff(now)) return whyNotWhole(now);
				void fileViewer(get)
					.wholeFile(server)
					.then(file => {
						const path = file ? file.path || file.name : '';
						if (file && tableFileKind(path) !== null && typeof file.content === 'string') {
							const bytes = Buffer.from(file.content, file.format === 'base64' ? 'base64' : 'utf8');
							return openTableFile(get, path, bytes);
						}
						const found = file && tableOfFile(file);
						if (found) tableViewer(get).openTable(path, found);
						else if (file) say(`Only ${TABLE_FILES}`);
					});
			},
			frame() {
				const now = viewer();
				if (!now) return NOT_YET;
				const code = frameCode(now.path, fileShown(now));
				if (code === null) return 'CSV, JSON lines, Parquet, Arrow and .npy files are read in the REPL';
				if (runInRepl(get, server, [code], 'python') !== undefined)
					return "The REPL's kernel is not Python, so it cannot read the table";
				route(get).focus('repl');
			},
			picture: withPicture(picture => pictureViewer(get).openPicture(picture)),
			outside: withPicture(picture => void pictureViewer(get).viewOutside(picture)),
			savePicture: withPicture(picture => route(get).openDialog({kind: 'save-picture', picture})),
			foldMore: fold(-1),
			foldLess: fold(1),
			mark: withLines((sheet, window, now) => {
				const from = clampTop(sheet, now.top, window).line;
				const isSeen = now.line !== null && now.line >= from && now.line < from + window.height;
				const line = isSeen ? (now.line ?? from) : from;
				change({mark: {from: line, to: line}});
			}),
			edit() {
				const now = viewer();
				if (now) void unsavedEdits(get).editFile(server, now.path);
			},
			attach: attachFile,
			run,
			runAll() {
				const drawn = shown();
				if (drawn && viewer()?.file.value === undefined) return whyNotWhole(viewer());
				return drawn?.kind === 'notebook' && drawn.isLaidOut
					? notebook.runAll(drawn.code)
					: `Only a formatted notebook runs as a whole: ${keyFor('viewer.run')} runs a Python file`;
			},
			path: () => route(get).openDialog({kind: 'go-to-path', server}),
			undo: () => void fileSaving(get).undoWrite(server).then(say),
			compare: () => void fileSaving(get).compareWithServer(server).then(say),
			copy,
			tree: () => route(get).focusPart('files', 'tree'),
		},
		marks: {
			up: moveMark((_, at) => at - 1),
			down: moveMark((_, at) => at + 1),
			pageUp: moveMark((_, at, page) => at - page),
			pageDown: moveMark((_, at, page) => at + page),
			first: moveMark(() => 0),
			last: moveMark(({index}) => index.count - 1),
			copy,
			attach: attachFile,
			run,
			leave: () => change({mark: null}),
		},
		find: find.field,
		lookAgain: find.lookAgain,
	};
};
