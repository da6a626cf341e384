import {Box, Transform} from 'ink';
import TextInput from 'ink-text-input';
import {useState} from 'react';
import type {Editor} from '../../../text/editor/editor.ts';
import {KEY, InkInput} from '../keys/ink-input.tsx';
import type {KeyContext} from '../feature.ts';
import {forTerminal, paint} from '../theme/theme.ts';
import type {EditorAccess} from './editor-keys.ts';
import {fit} from '../../../text/width/width.ts';
import {lineField} from './line-field.ts';

/** Limit of the text passed to Ink, which wraps it. Only the part around the cursor is visible. */
const LONGEST = 4000;
const SGR = /\u001B\[\d+m/g;

/** Left and Right keys that move the cursor by UTF-16 units, the unit of ink-text-input. */
const moves = (by: number): readonly string[] =>
	Array.from({length: Math.abs(by)}, () => (by < 0 ? KEY.left : KEY.right));

/**
 * Keys that change one text and cursor into another in ink-text-input, which supports neither
 * graphemes nor words.
 */
export const keystrokes = (from: Editor, to: Editor): readonly string[] => {
	let start = 0;
	const shorter = Math.min(from.text.length, to.text.length);
	while (start < shorter && from.text[start] === to.text[start]) start++;
	let end = 0;
	while (end < shorter - start && from.text.at(-1 - end) === to.text.at(-1 - end)) end++;
	const inserted = to.text.slice(start, to.text.length - end);
	if (from.text === to.text) return moves(to.cursor - from.cursor);
	const removedTo = from.text.length - end;
	return [
		...moves(removedTo - from.cursor),
		...Array.from({length: removedTo - start}, () => KEY.backspace),
		...(inserted === '' ? [] : [inserted]),
		...moves(to.cursor - (start + inserted.length)),
	];
};

/** Handlers of a `TextField`: while it has focus, every change goes through ink-text-input. */
export const textKeys = ({press}: Pick<KeyContext, 'press'>, {draft, set}: EditorAccess) => ({
	edit(next: Editor): void {
		// Control characters would act as keys in ink-text-input.
		if (/\p{Cc}/u.test(next.text)) return;
		press(...keystrokes(draft(), next));
		set(next);
	},
	submit: () => press(KEY.enter),
});

/**
 * Short one-line field by ink-text-input, at a cell of a dialog box. Its cursor is the terminal's
 * own, so that input methods show composed text there.
 */
export const TextField = ({
	editor,
	left,
	top,
	width,
	placeholder = '',
	isSelected = false,
	onSubmit,
}: {
	readonly editor: Editor;
	readonly left: number;
	readonly top: number;
	readonly width: number;
	readonly placeholder?: string;
	readonly isSelected?: boolean;
	readonly onSubmit: () => void;
}) => {
	const [text, setText] = useState(editor.text);
	const role = isSelected ? 'selected' : text === '' ? 'dim' : null;
	const draw = (line: string): string => {
		const shown = lineField({...editor, text: line.replaceAll(SGR, '')}, width).text.trimEnd();
		return forTerminal(paint('field', fit(role === null ? shown : paint(role, shown), width)));
	};
	return (
		<Box position="absolute" left={left} top={top} width={width} height={1} overflow="hidden">
			<Box width={LONGEST} flexShrink={0}>
				<InkInput>
					<Transform transform={draw}>
						<TextInput value={text} placeholder={placeholder} onChange={setText} onSubmit={onSubmit} />
					</Transform>
				</InkInput>
			</Box>
		</Box>
	);
};
