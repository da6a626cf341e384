import {useEffect, useMemo, useState} from 'react';
import {createFind} from '../../../text/columns/find.ts';
import {useMarkdown} from '../../core/components/markdown.ts';
import {useApp} from '../../core/store-context.ts';
import {notebookIn, readPictures} from './pictures.ts';
import {kindOf} from './format-file.ts';
import {formatRest} from './format-rest.ts';
import {shownOf, type Shown} from './shown.ts';
import {useColours} from './use-colours.ts';
import {laidSheetOf, sheetOf} from './lines.ts';
import {fileShown, type Viewer} from './open-file.ts';

/**
 * React hook: the open file as it is drawn, with colours and matches. Loads the formatter of its
 * kind in the background.
 */
export const useViewer = (viewer: Viewer | undefined, width: number, height: number): Shown => {
	const file = viewer && fileShown(viewer);
	const isWhole = viewer?.file.value !== undefined;
	const style = useApp(state => state.pictureStyle);
	const kind = file && kindOf(file);
	useMarkdown(kind === 'markdown' || kind === 'notebook');
	const [, draw] = useState(0);
	useEffect(() => {
		if (file === undefined || !isWhole) return;
		let isWanted = true;
		void readPictures(
			file,
			() => isWanted,
			() => draw(times => times + 1),
		);
		return () => {
			isWanted = false;
		};
	}, [file]);
	const shown = shownOf(viewer, style, {width, height});
	const rest = shown?.rest ?? null;
	const look = useApp(state => state.look);
	useEffect(() => {
		if (file === undefined || rest === null || !isWhole) return;
		let isWanted = true;
		void formatRest(
			file,
			() => notebookIn(file),
			rest,
			() => isWanted,
		).then(() => isWanted && draw(times => times + 1));
		return () => {
			isWanted = false;
		};
	}, [file, rest === null, rest?.width, rest?.pictureStyle, rest?.markdown, look]);
	const index = shown?.sheet.index ?? null;
	const {spansOf} = useColours(shown?.laid ? null : index, viewer?.path ?? '', viewer?.top.line ?? 0, height);
	const words = viewer?.find?.field.text ?? '';
	const find = useMemo(() => (index && words !== '' ? createFind(index.text, words) : null), [index, words]);
	const match = viewer?.find?.at?.offset ?? null;
	return (
		shown && {
			...shown,
			sheet: shown.laid
				? laidSheetOf(shown.laid, {find, match})
				: sheetOf(shown.sheet.index, {spansOf, find, match}),
		}
	);
};
