import {useMemo} from 'react';
import {lineIndexOf, type Viewer} from '../../../store/viewer.ts';
import {createFind} from '../../../text/find.ts';
import type {Sheet, Window} from '../../../text/viewport.ts';
import type {FileKind} from './laid-out.ts';
import type {CodePlace} from './notebook-lines.ts';
import {useColours} from './use-colours.ts';
import {useLaidOut} from './use-laid-out.ts';
import {gutterOf, laidSheetOf, sheetOf} from './viewer-lines.ts';

/** What is drawn of an open file: its text with colours and matches, or laid out, and the window onto it. Null where there is none yet. */
export type Shown = {
	readonly sheet: Sheet;
	readonly window: Window;
	readonly kind: FileKind;
	/** Not as its text: lines have no numbers. */
	readonly isLaidOut: boolean;
	/** Cells of code of a notebook that is laid out. */
	readonly code: readonly CodePlace[];
	/** Why it is shown as its text although its kind is laid out. */
	readonly problem: string | null;
} | null;

export const useViewer = (viewer: Viewer | undefined, width: number, height: number): Shown => {
	const file = viewer?.file.value;
	const {kind, laid, problem} = useLaidOut(file, {raw: viewer?.raw ?? false, levels: viewer?.levels ?? 0, width, height});
	const text = useMemo(() => (file ? lineIndexOf(file) : null), [file]);
	const {spansOf, version} = useColours(laid ? null : text, viewer?.path ?? '', viewer?.top.line ?? 0, height);
	const index = laid?.index ?? text;
	const words = viewer?.find?.field.text ?? '';
	const find = useMemo(() => (index && words !== '' ? createFind(index.text, words) : null), [index, words]);
	const match = viewer?.find?.at?.offset ?? null;
	// `version` stands for what `spansOf` answers.
	const sheet = useMemo(() => (laid ? laidSheetOf(laid, {find, match}) : index && sheetOf(index, {spansOf, find, match})), [laid, index, version, find, match]);
	const isLaidOut = laid !== null;
	const wrapped = !isLaidOut && (viewer?.wrapped ?? false);
	const left = viewer?.left ?? 0;
	const known = viewer?.known;
	return useMemo(() => sheet && {sheet, kind, isLaidOut, code: laid?.code ?? [], problem, window: {room: Math.max(4, width - (isLaidOut ? 1 : gutterOf(sheet.index))), height, wrapped, left}}, [sheet, kind, isLaidOut, laid, problem, known, width, height, wrapped, left]);
};
