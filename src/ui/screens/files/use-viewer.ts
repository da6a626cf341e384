import {useMemo} from 'react';
import {lineIndexOf, type Viewer} from '../../../store/viewer.ts';
import {createFind} from '../../../text/find.ts';
import type {Sheet, Window} from '../../../text/viewport.ts';
import {useColours} from './use-colours.ts';
import {gutterOf, sheetOf} from './viewer-lines.ts';

/** What is drawn of an open file: its text with colours and matches, and the window onto it. Null where it is no text or has not come. */
export const useViewer = (viewer: Viewer | undefined, width: number, height: number): {readonly sheet: Sheet; readonly window: Window} | null => {
	const file = viewer?.file.value;
	const index = useMemo(() => (file ? lineIndexOf(file) : null), [file]);
	const {spansOf, version} = useColours(index, viewer?.path ?? '', viewer?.top.line ?? 0, height);
	const words = viewer?.find?.field.text ?? '';
	const find = useMemo(() => (index && words !== '' ? createFind(index.text, words) : null), [index, words]);
	const match = viewer?.find?.at?.offset ?? null;
	// `version` stands for what `spansOf` answers.
	const sheet = useMemo(() => index && sheetOf(index, {spansOf, find, match}), [index, version, find, match]);
	const wrapped = viewer?.wrapped ?? false;
	const left = viewer?.left ?? 0;
	const known = viewer?.known;
	return useMemo(() => sheet && {sheet, window: {room: Math.max(4, width - gutterOf(sheet.index)), height, wrapped, left}}, [sheet, known, width, height, wrapped, left]);
};
