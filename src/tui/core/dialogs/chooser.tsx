import {useLayoutEffect} from 'react';
import {lineOf, route} from '../store/route.ts';
import {createEditor, insert, setText, type Editor} from '../../../text/editor/editor.ts';
import {cellWidth, fit} from '../../../text/width/width.ts';
import {wrap} from '../../../text/width/wrap.ts';
import {editingKeys} from '../components/editor-keys.ts';
import {lineField, onOneLine} from '../components/line-field.ts';
import {markFound} from '../components/find-rows.ts';
import {positionText, withScrollMark} from '../components/position.ts';
import {clamp, movements, windowAround} from '../components/scroll.ts';
import {CursorAt} from '../frame/cursor.tsx';
import {keyFor} from '../keys/live-keys.ts';
import type {Choosing, Dialog, DialogOf, Rect, State} from '../program.ts';
import {dialog, type KeyContext, type DialogSpec} from '../feature.ts';
import type {Effects} from '../keys/shared-rows.ts';
import {useApp, useGetState} from '../store-context.ts';
import {paint} from '../theme/theme.ts';
import type {Choice} from './choice.ts';
import {choiceRows, noteColumn} from './choice-rows.ts';
import {boxPlace, DialogBox, lineWidth} from './dialog-box.tsx';
import {DialogStrip, stripPlace} from './dialog-strip.tsx';

export type {Choice} from './choice.ts';

export type Chooser = {
	readonly title: string;
	readonly width?: number;
	readonly prompt?: string;
	/** The choices for the typed text, best first. */
	readonly choicesFor: (typed: string) => readonly Choice[];
	/** Called after the typed text was drawn, for choices that must be loaded. */
	readonly onShown?: (typed: string) => void;
	/** Reason why Enter does not accept the typed text; undefined if it does. */
	readonly whyNot?: (typed: string) => string | undefined;
	/** Handles Enter for the typed text. Returns a notice, or false to run the selected choice. */
	readonly onEnter?: (typed: string) => string | boolean;
	/** Labels of Enter and Tab, in place of the usual ones. */
	readonly enterLabel?: string;
	readonly markLabel?: string;
	/** True to start all notes in one column. Otherwise they end at the right side. */
	readonly alignsNotes?: true;
	/** Shows sections for typed text too; otherwise only while nothing is typed. */
	readonly keepsSections?: true;
	/** Rows below the list, for example about the selected choice; as many as `previewRows`. */
	readonly preview?: (choice: Choice | undefined, width: number) => readonly string[];
	readonly previewRows?: number;
	/** Called when the chooser is closed without a choice. */
	readonly onClose?: () => void;
	/** Cuts long rows; otherwise they take several lines. */
	readonly cutsRows?: true;
	/** Draws a strip at the bottom of the screen, so that the text above stays visible. */
	readonly isStrip?: true;
	readonly empty: string;
	/** Replaces `empty` while nothing is typed. */
	readonly untyped?: string;
	readonly initial?: string;
	/** Id of the initially selected choice; the first one by default. */
	readonly startsAt?: string | undefined;
	readonly cover?: Cover;
};

/** Replaces field and list while nothing is typed. Keys that move in the list show the list. */
type Cover = {
	/** Rows of this width. Typed text appears in the last one. */
	readonly rows: (width: number) => readonly string[];
	/** Label of Tab, which shows the list. */
	readonly tabLabel: string;
	readonly showList: () => void;
};

/** Creates the content of a dialog of this kind from the current state. */
type MakeChooser<Kind extends Dialog['kind']> = (
	at: Pick<KeyContext, 'get' | 'act'>,
	dialog: DialogOf<Kind>,
) => Chooser;

/** Least width of the box in cells. The eye can still follow a row this wide from name to key. */
export const LEAST_WIDTH = 78;
/** Width of the box: half of a wide screen, so that few rows need two lines. */
const wanted = ({width}: Rect, chooser: Chooser): number =>
	chooser.width ?? Math.min(110, Math.max(LEAST_WIDTH, Math.floor(width / 2)));

const idOf = ({id, text}: Choice): string => id ?? text;

type Line = {readonly choice: number} | {readonly section: string};

/** Maximum number of rows of a list. On a tall screen, part of the screen below stays visible. */
const roomIn = (body: Rect, chooser: Chooser): number => {
	const {height} = body;
	const {previewRows = 0, isStrip, cover} = chooser;
	if (isStrip) return clamp(Math.floor(height / 3), 3, 12);
	const most = Math.min(height - 4, Math.max(26, height - 10)) - previewRows;
	// A covered list is as tall as its cover, so that the box stays in place at the first letter.
	return Math.max(3, cover ? Math.min(most, cover.rows(widthIn(body, chooser)).length - 1) : most);
};

/** Typed text of a dialog, and its selected row as last drawn. */
const choosingIn = ({lines}: State, dialog: Dialog, {initial = '', startsAt}: Chooser): Choosing => {
	const line = lineOf(dialog);
	return (
		dialog.choosing ?? {
			editor: createEditor((line && lines[line.field]?.get(line.server)) || initial),
			at: 0,
			id: startsAt ?? null,
		}
	);
};

/** The cover, if nothing is typed. */
const coverIn = ({cover}: Chooser, {editor}: Choosing): Cover | undefined =>
	editor.text === '' ? cover : undefined;

/** Current index of the row that was selected when drawn. If that row is gone, its old index. */
const indexIn = (all: readonly Choice[], {at, id}: Choosing): number => {
	const there = all[at];
	// The row at the old index has priority, because several choices may have the same text.
	const found =
		id === null || (there !== undefined && idOf(there) === id)
			? at
			: all.findIndex(choice => idOf(choice) === id);
	return clamp(found < 0 ? at : found, 0, Math.max(0, all.length - 1));
};

/** Width inside the box, in cells. */
const widthIn = (body: Rect, chooser: Chooser): number =>
	chooser.isStrip ? body.width - 2 : lineWidth(body, wanted(body, chooser));

/** Returns a function that gives the rows of each of the `shown` choices. */
const rowsIn = (
	chooser: Chooser,
	body: Rect,
	shown: readonly Choice[],
): ((choice: Choice) => readonly string[]) => {
	const width = widthIn(body, chooser) - 1;
	const column = chooser.alignsNotes ? noteColumn(shown, width) : 0;
	return choice => choiceRows(choice, {width, cutsRows: chooser.cutsRows ?? false, column});
};

/** A list of all choices with their section headers. */
const listOf = (shown: readonly Choice[], typed: string, {keepsSections}: Chooser): readonly Line[] =>
	shown.flatMap(({section}, choice): Line[] =>
		(typed === '' || keepsSections) && section !== undefined && section !== shown[choice - 1]?.section
			? [{section}, {choice}]
			: [{choice}],
	);

const nothing = (typed: string, {empty, untyped = empty}: Chooser): string =>
	typed === '' ? untyped : empty;

const nothingRows = (typed: string, chooser: Chooser, body: Rect): readonly string[] =>
	wrap(` ${nothing(typed, chooser)}`, widthIn(body, chooser), {hang: 1}).map(line => paint('dim', line));

/** Height of the list of matches, in rows. */
const heightIn = (body: Rect, chooser: Chooser, shown: readonly Choice[], typed: string): number => {
	if (shown.length === 0) return Math.min(roomIn(body, chooser), nothingRows(typed, chooser, body).length);
	const rowsOf = rowsIn(chooser, body, shown);
	let rows = 0;
	for (const line of listOf(shown, typed, chooser)) {
		const choice = 'choice' in line ? shown[line.choice] : undefined;
		rows += choice ? rowsOf(choice).length : 1;
		if (rows >= roomIn(body, chooser)) return roomIn(body, chooser);
	}
	return rows;
};

/** Number of choices that fit, counted from the first; at least one. */
const fitting = (choices: readonly Choice[], chooser: Chooser, body: Rect, height: number): number => {
	const rowsOf = rowsIn(chooser, body, choices);
	let room = height;
	const count = choices.findIndex(choice => (room -= rowsOf(choice).length) < 0);
	return Math.max(1, count < 0 ? choices.length : count);
};

const keysOf =
	<Kind extends Dialog['kind']>(make: MakeChooser<Kind>) =>
	({get, act, rect}: KeyContext): Effects<'chooser'> => {
		const dialog = (): DialogOf<Kind> => get().dialogs.at(-1) as DialogOf<Kind>;
		const chooser = make({get, act}, dialog());
		const now = (): Choosing => choosingIn(get(), dialog(), chooser);
		const change = (choosing: Choosing): void => route(get).changeDialog({...dialog(), choosing});
		const set = (editor: Editor): void => {
			const line = lineOf(dialog());
			if (line) route(get).keepLine(line.field, line.server, editor.text);
			// A changed text gives a new list, and its best match is the first row.
			change(editor.text === now().editor.text ? {...now(), editor} : {editor, at: 0, id: null});
		};
		const choices = (): readonly Choice[] => chooser.choicesFor(now().editor.text);
		const chosen = (): Choice | undefined => choices()[indexIn(choices(), now())];
		const covered = (): Cover | undefined => coverIn(chooser, now());
		const move = (to: 'up' | 'down' | 'pageUp' | 'pageDown') => (): void => {
			const cover = covered();
			if (cover) return cover.showList();
			const all = choices();
			const from = indexIn(all, now());
			const page = to === 'pageUp' ? all.slice(0, from).reverse() : all.slice(from);
			movements(
				() => from,
				all.length,
				fitting(page, chooser, rect, heightIn(rect, chooser, all, now().editor.text)),
				at => change({...now(), at, id: all[at] ? idOf(all[at]) : null}),
			)[to]();
		};
		return {
			...editingKeys({draft: () => now().editor, set}),
			up: move('up'),
			down: move('down'),
			pageUp: move('pageUp'),
			pageDown: move('pageDown'),
			complete: {
				now() {
					const cover = covered();
					if (cover) return cover.tabLabel;
					const choice = chosen();
					return choice?.completes === undefined && choice?.mark === undefined ? null : chooser.markLabel;
				},
				run() {
					const cover = covered();
					if (cover) return cover.showList();
					const choice = chosen();
					if (choice?.mark) return choice.mark();
					const completes = choice?.completes;
					if (completes === undefined)
						return `Nothing to complete here: ${keyFor('chooser.accept')} chooses the highlighted line`;
					set(setText(now().editor, completes));
				},
			},
			accept: {
				now() {
					if (covered()) return null;
					if (chooser.whyNot?.(now().editor.text) !== undefined) return null;
					const choice = chosen();
					return choice === undefined && chooser.onEnter === undefined
						? null
						: (choice?.enterLabel ?? chooser.enterLabel);
				},
				run() {
					if (covered()) return `Type to search; ${keyFor('chooser.complete')} lists everything`;
					const why = chooser.whyNot?.(now().editor.text);
					if (why !== undefined) return why;
					const entered = chooser.onEnter?.(now().editor.text) ?? false;
					if (entered !== false) return entered === true ? undefined : entered;
					const choice = chosen();
					if (choice === undefined) return nothing(now().editor.text, chooser);
					route(get).closeDialog();
					return choice.choose();
				},
			},
			close() {
				chooser.onClose?.();
				route(get).closeDialog();
			},
			typed: text => set(insert(now().editor, onOneLine(text))),
		};
	};

/** Lowest part of the body with room for these lines. A preview above it stays visible. */
const lowIn = (body: Rect, lines: number): Rect => {
	const height = Math.min(body.height, lines + 2);
	return {...body, y: body.y + body.height - height, height};
};

const View = ({
	chooser,
	dialog,
	body,
	isPreview,
}: {
	readonly isPreview: boolean;
	readonly chooser: Chooser;
	readonly dialog: Dialog;
	readonly body: Rect;
}) => {
	const {title, prompt = '›', choicesFor, isStrip} = chooser;
	const width = wanted(body, chooser);
	const get = useGetState();
	const choosing = choosingIn(get(), dialog, chooser);
	const {editor} = choosing;
	const shown = choicesFor(editor.text);
	const cursor = indexIn(shown, choosing);
	const cover = coverIn(chooser, choosing);
	const onCursor = cover ? undefined : shown[cursor];
	const height = heightIn(body, chooser, shown, editor.text);
	useLayoutEffect(() => {
		if (onCursor === undefined || (choosing.at === cursor && choosing.id === idOf(onCursor))) return;
		const top = get().dialogs.at(-1);
		if (top === dialog)
			route(get).changeDialog({...dialog, choosing: {...choosing, at: cursor, id: idOf(onCursor)}});
	});
	useLayoutEffect(() => chooser.onShown?.(editor.text));
	const inner = widthIn(body, chooser);
	const lines = listOf(shown, editor.text, chooser);
	const from = windowAround(
		lines.findIndex(line => 'choice' in line && line.choice === cursor),
		height,
		lines.length,
	);
	const rowsOf = rowsIn(chooser, body, shown);
	const near = lines.slice(from, from + height).flatMap(line => {
		if ('section' in line) return [{row: paint('dim', line.section), isChosen: false}];
		const choice = shown[line.choice];
		const isChosen = line.choice === cursor;
		return (choice === undefined ? [] : rowsOf(choice)).map(row => ({
			row: isChosen
				? paint('selected', row)
				: choice?.isQuiet
					? paint('dim', row)
					: markFound(row, choice?.found ?? '', false),
			isChosen,
		}));
	});
	const top = windowAround(
		near.findIndex(({isChosen}) => isChosen),
		height,
		near.length,
	);
	// Only the visible choices are formatted; every other choice counts as one row.
	const count = lines.length + near.length - Math.min(height, lines.length - from);
	const rows = withScrollMark(
		near.slice(top, top + height).map(({row}) => row),
		{from: from + top, height, count, width: inner},
	);
	const field = lineField(editor, inner - 2 - cellWidth(prompt));
	const list = rows.length > 0 ? rows : nothingRows(editor.text, chooser, body);
	const position = positionText(cursor, shown.length);
	if (isStrip) {
		const strip = stripPlace(body, roomIn(body, chooser) + 1);
		return (
			<>
				<DialogStrip
					title={title}
					place={strip}
					lines={[`${paint('accent', prompt)} ${field.text}`, ...list]}
					position={position}
				/>
				<CursorAt x={1 + cellWidth(prompt) + 1 + field.x} y={strip.top + 1} />
			</>
		);
	}
	if (cover) {
		const rowsOfCover = ['', ...cover.rows(inner)];
		const {left, top: y, height: tall} = boxPlace(body, width, rowsOfCover.length);
		return (
			<>
				<DialogBox
					title={title}
					body={body}
					width={width}
					lines={rowsOfCover}
					position={`${keyFor('chooser.close').toLowerCase()} close`}
				/>
				<CursorAt x={left + 2} y={y + tall} />
			</>
		);
	}
	const below = chooser.preview?.(onCursor, inner) ?? [];
	const input = paint('field', fit(field.text, inner - 1 - cellWidth(prompt)));
	const all = [`${paint('accent', prompt)} ${input}`, '', ...list, ...below];
	const most = roomIn(body, chooser) + (chooser.previewRows ?? 0) + 2;
	const room = isPreview ? lowIn(body, choicesFor('').length + 2) : body;
	const place = boxPlace(room, width, all.length, most);
	return (
		<>
			<DialogBox title={title} body={room} width={width} lines={all} most={most} position={position} />
			<CursorAt x={place.left + 2 + cellWidth(prompt) + 1 + field.x} y={place.top + 1} />
		</>
	);
};

/** A dialog with a field and a list of matches: palette, command line, help, pickers. */
export const chooser = <Kind extends Dialog['kind']>(
	{kind, line, isPreview}: Pick<DialogSpec<Kind>, 'kind' | 'line' | 'isPreview'>,
	make: MakeChooser<Kind>,
): DialogSpec =>
	dialog<Kind>({
		kind,
		...(line && {line}),
		...(isPreview && {isPreview}),
		scope: 'chooser',
		handlers: {chooser: keysOf(make)},
		Dialog({body}) {
			const get = useGetState();
			const open = useApp(state => state).dialogs.at(-1);
			return open?.kind === kind ? (
				<View
					chooser={make({get, act() {}}, open as DialogOf<Kind>)}
					dialog={open}
					body={body}
					isPreview={isPreview === true}
				/>
			) : null;
		},
	});
