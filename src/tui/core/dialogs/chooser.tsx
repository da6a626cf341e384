import {useLayoutEffect, useRef, useState, type ReactNode} from 'react';
import {lineOf} from '../store/route.ts';
import {createEditor, insert, setText, type Editor} from '../../../text/editor/editor.ts';
import {label} from '../../../text/safe.ts';
import {cellWidth, fit} from '../../../text/width/width.ts';
import {editingKeys} from '../components/editor-keys.ts';
import {lineField, onOneLine} from '../components/line-field.ts';
import {clamp, movements, windowAround} from '../components/scroll.ts';
import {CursorAt} from '../frame/cursor.tsx';
import type {Rect} from '../frame/layout.ts';
import {useKeys} from '../keys/keys.tsx';
import {keyFor} from '../keys/live-keys.ts';
import {useGetState} from '../store-context.ts';
import {paint} from '../theme/theme.ts';
import {boxPlace, DialogBox} from './dialog-box.tsx';

export type Choice = {
	/** Own text: what comes from outside is made safe by the chooser. */
	readonly text: string;
	/** What the cursor holds on to when the list changes while it is open; without it, the text. */
	readonly id?: string;
	/** At the right end: a key, a time. */
	readonly note?: string;
	/** Drawn above the first of several with the same one, as long as nothing is typed. */
	readonly section?: string;
	/** What Tab puts into the field. */
	readonly completes?: string;
	/** Called after the chooser has been closed. A sentence says why it cannot be done. */
	readonly choose: () => string | void;
};

type Props = {
	readonly title: string;
	readonly body: Rect;
	readonly width?: number;
	readonly prompt?: string;
	/** The choices for what is typed, best first. */
	readonly choicesFor: (typed: string) => readonly Choice[];
	/** Enter, for what is typed as it stands; false leaves it to the choice under the cursor. */
	readonly onEnter?: (typed: string) => string | boolean;
	readonly empty: string;
	/** In place of `empty` as long as nothing is typed. */
	readonly untyped?: string;
	readonly initial?: string;
	readonly children?: ReactNode;
};

const idOf = ({id, text}: Choice): string => id ?? text;

type Line = {readonly choice: number} | {readonly section: string};

/** A field and the list of what fits what is typed into it: palette, command line, help, pickers. */
export const Chooser = ({
	title,
	body,
	width = 78,
	prompt = '›',
	choicesFor,
	onEnter,
	empty,
	untyped = empty,
	initial = '',
}: Props) => {
	const get = useGetState();
	const dialog = get().dialogs.at(-1);
	const line = dialog && lineOf(dialog);
	const state = useRef<{readonly editor: Editor; readonly at: number; readonly id: string | null}>({
		editor: createEditor((line && get().lines[line.field]?.get(line.server)) || initial),
		at: 0,
		id: null,
	});
	const [, draw] = useState(0);
	const change = (next: Partial<typeof state.current>): void => {
		// Another text is another list: its first row is the best.
		if (line && next.editor !== undefined) get().keepLine(line.field, line.server, next.editor.text);
		state.current = {
			...state.current,
			...(next.editor !== undefined && next.editor.text !== state.current.editor.text && {at: 0, id: null}),
			...next,
		};
		draw(count => count + 1);
	};
	const choices = (): readonly Choice[] => choicesFor(state.current.editor.text);
	const nothing = (): string => (state.current.editor.text === '' ? untyped : empty);
	const say = (reason: string | void): void => {
		if (typeof reason === 'string') get().notify('info', reason);
	};
	const height = Math.max(3, Math.min(24, body.height - 2) - 2);
	/** The row that the cursor was drawn on, wherever it stands by now; the one at its place when it is gone. */
	const indexIn = (all: readonly Choice[]): number => {
		const {at, id} = state.current;
		const there = all[at];
		// Several may have the same text.
		const found =
			id === null || (there !== undefined && idOf(there) === id)
				? at
				: all.findIndex(choice => idOf(choice) === id);
		return clamp(found < 0 ? at : found, 0, Math.max(0, all.length - 1));
	};
	const moveTo = (at: number): void => {
		const choice = choices()[at];
		change({at, id: choice ? idOf(choice) : null});
	};
	const moves = () => movements(() => indexIn(choices()), choices().length, height, moveTo);
	useKeys(
		'chooser',
		{
			...editingKeys({draft: () => state.current.editor, set: editor => change({editor})}),
			up: () => moves().up(),
			down: () => moves().down(),
			pageUp: () => moves().pageUp(),
			pageDown: () => moves().pageDown(),
			complete() {
				const completes = choices()[indexIn(choices())]?.completes;
				if (completes === undefined)
					return `Nothing to complete here: ${keyFor('chooser.accept')} chooses the highlighted line`;
				change({editor: setText(state.current.editor, completes)});
			},
			accept() {
				const entered = onEnter?.(state.current.editor.text) ?? false;
				if (typeof entered === 'string') return entered;
				if (entered) return;
				const choice = choices()[indexIn(choices())];
				if (choice === undefined) return nothing();
				get().closeDialog();
				say(choice.choose());
			},
			close: () => get().closeDialog(),
		},
		text => change({editor: insert(state.current.editor, onOneLine(text))}),
	);

	const {editor} = state.current;
	const shown = choices();
	const cursor = indexIn(shown);
	const onCursor = shown[cursor];
	useLayoutEffect(() => {
		if (onCursor !== undefined) state.current = {...state.current, at: cursor, id: idOf(onCursor)};
	});
	const inner = Math.min(width, body.width - 4) - 4;
	const lines: Line[] = shown.flatMap(({section}, choice): Line[] =>
		editor.text === '' && section !== undefined && section !== shown[choice - 1]?.section
			? [{section}, {choice}]
			: [{choice}],
	);
	const from = windowAround(
		lines.findIndex(line => 'choice' in line && line.choice === cursor),
		height,
		lines.length,
	);
	const rows = lines.slice(from, from + height).map(line => {
		if ('section' in line) return paint('dim', line.section);
		const {text = '', note = ''} = shown[line.choice] ?? {};
		const right = label(note, 60);
		const row = `${fit(` ${label(text, 300)}`, Math.max(8, inner - cellWidth(right) - 2))} ${right} `;
		return line.choice === cursor ? paint('selected', row) : row;
	});
	const field = lineField(editor, inner - 2 - cellWidth(prompt));
	const list = rows.length > 0 ? rows : [paint('dim', ` ${nothing()}`)];
	const all = [
		`${paint('accent', prompt)} ${field.text}`,
		'',
		...list,
		...Array.from({length: Math.max(0, height - list.length)}, () => ''),
	];
	const place = boxPlace(body, width, all.length);
	return (
		<>
			<DialogBox title={title} body={body} width={width} lines={all} />
			<CursorAt x={place.left + 2 + cellWidth(prompt) + 1 + field.x} y={place.top + 1} />
		</>
	);
};
