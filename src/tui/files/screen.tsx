import {useEffect, useLayoutEffect} from 'react';
import {lineField} from '../core/components/line-field.ts';
import {useMarkdown} from '../core/components/markdown.ts';
import {CursorAt} from '../core/frame/cursor.tsx';
import {useApp, useGetState} from '../core/store-context.ts';
import {filesLayout, rowsOf, shownIn} from './layout.ts';
import {withHelp} from '../notebook/code-field.ts';
import {notebookOn, runsNow} from '../notebook/open-notebook.ts';
import {pictureOfOutput} from '../notebook/output-pictures.ts';
import {roomIn} from '../notebook/layout-area.ts';
import {pictureRowsIn} from '../notebook/cell-rows.ts';
import {layoutNotebook} from '../notebook/rows.ts';
import {mayBeInText} from '../pictures/in-text.ts';
import {PICTURE_ROWS} from '../cells/rows/output-lines.ts';
import {outputPlacings, usePlacings} from '../cells/use-placings.ts';
import {useLoad} from '../live/use-load.ts';
import {windowOf} from '../core/components/transcript.ts';
import {notebookRows, notebookTitle} from '../notebook/view.ts';
import {useFollow, useTail} from './use-follow.ts';
import {useViewer} from './viewer/use-viewer.ts';
import {FilesView} from './view.tsx';
import {FIND_FIELD} from './viewer/title.ts';
import {viewerKeys} from './viewer-keys.ts';
import {isListed, treeOf, fileListing} from './tree/listing.ts';
import type {ScreenProps} from '../core/feature.ts';

export const FilesScreen = ({server, rect, hasKeys}: ScreenProps) => {
	const get = useGetState();
	const tree = useApp(state => treeOf(state, server));
	const viewer = useApp(state => state.viewers.get(server));
	const part = useApp(state => state.paneFocus.files);
	const connection = useApp(state => state.connection);
	const seenAt = useApp(state => state.servers.at);
	const transfer = useApp(state => (state.transfer?.server === server ? state.transfer : null));
	const list = useApp(state => state.lists.files);
	const completions = useApp(state => state.completions);
	const documentation = useApp(state => state.documentation);
	const covered = useApp(state => state.dialogs.length > 0);
	const filtering = useApp(state => state.filtering === 'files' && state.dialogs.length === 0);
	const rows = useApp(state => rowsOf(state, server));
	const open = useApp(state => notebookOn(state, server));
	const isSaving = useApp(state => open !== undefined && state.saving.includes(open.path));
	const load = useLoad(server, open !== undefined && runsNow(open));
	const layout = filesLayout(
		rect.height,
		rows.length,
		viewer !== undefined,
		open === undefined ? 'read' : 'worked',
	);
	// What a notebook that is worked in covers is not laid out.
	const shown = useViewer(open === undefined ? viewer : undefined, rect.width, layout.viewer);
	useMarkdown(open !== undefined);
	const look = useApp(state => state.pictureLook);
	const room = useApp(state => roomIn(state, server, rect));
	const laid = open && layoutNotebook(open, room);
	usePlacings('files', () => {
		if (!mayBeInText(look) || !open || !laid) return [];
		return [...new Set(windowOf(laid.blocks, laid.top, room.height).owners)].flatMap(index => {
			const cell = open.notebook.cells[index];
			if (cell === undefined) return [];
			const height = open.unfolded.has(cell.key) ? PICTURE_ROWS : pictureRowsIn(room.height);
			return outputPlacings(cell.outputs, pictureOfOutput, {width: room.width - 2, height});
		});
	});
	useFollow(server, viewer?.path);
	useTail(server, viewer, shown);
	useEffect(() => {
		if (!get().files.get(server)?.folders.has('')) void fileListing(get).loadFolder(server, '');
	}, [get, server]);
	// Asked again once the service is back, which a newer list of servers tells.
	useEffect(() => {
		const tree = treeOf(get(), server);
		if (isListed(tree) && tree.folders.get('')?.status === 'failed')
			void fileListing(get).loadFolder(server, '');
	}, [get, server, seenAt]);

	const first = rows[0]?.path;
	useLayoutEffect(() => {
		// A file that comes above it later must not come under the cursor.
		if (first !== undefined && first !== '' && treeOf(get(), server).cursor === '')
			fileListing(get).changeTree(server, {cursor: first});
	});
	const index = shown?.sheet.index;
	// In a text that has come just now the words are looked for again.
	useEffect(
		() => viewerKeys(get, server, () => shownIn(get(), server, rect)).lookAgain(),
		[get, server, index],
	);
	const isTyping = hasKeys && part === 'viewer';
	const notebook =
		open && laid
			? {
					title: notebookTitle(open, laid, {isFocused: isTyping, width: rect.width, isSaving, load}),
					rows: withHelp(notebookRows(laid, room, isTyping), {completions, documentation}, open, laid, room),
				}
			: null;
	const cursor = isTyping && laid ? laid.cursor : null;
	const finding = isTyping && open?.find?.typing ? lineField(open.find.field, FIND_FIELD) : null;
	const field =
		notebook === null && hasKeys && part === 'viewer' && viewer?.find?.typing
			? lineField(viewer.find.field, FIND_FIELD)
			: null;
	return (
		<>
			<FilesView
				{...{server, tree, rows, connection, viewer, shown, notebook, transfer, list, filtering}}
				focus={hasKeys ? part : null}
				x={rect.x}
				y={rect.y}
				width={rect.width}
				height={rect.height}
			/>
			{cursor && !covered && (
				<CursorAt x={rect.x + cursor.x} y={rect.y + layout.tree + 2 + cursor.row - (laid?.top ?? 0)} />
			)}
			{finding && !covered && <CursorAt x={rect.x + 4 + finding.x} y={rect.y + layout.tree + 1} />}
			{field && <CursorAt x={rect.x + 4 + field.x} y={rect.y + layout.tree + 1} />}
		</>
	);
};
