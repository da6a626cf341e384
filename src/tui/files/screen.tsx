import {useEffect, useLayoutEffect} from 'react';
import {lineField} from '../core/components/line-field.ts';
import {CursorAt} from '../core/frame/cursor.tsx';
import {useApp, useGetState} from '../core/store-context.ts';
import {documents} from './document.ts';
import {filesLayout, rowsOf, shownIn} from './layout.ts';
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
	const covered = useApp(state => state.dialogs.length > 0);
	const filtering = useApp(state => state.filtering === 'files' && state.dialogs.length === 0);
	const rows = useApp(state => rowsOf(state, server));
	const isTyping = hasKeys && part === 'viewer';
	const document = documents(get).useView(server, rect, isTyping);
	const layout = filesLayout(rect, viewer !== undefined);
	// An open document is drawn instead of its file, so the file's text need not be formatted.
	const shown = useViewer(document === null ? viewer : undefined, layout.viewer.width, layout.viewerRows);
	useFollow(server, viewer?.path);
	useTail(server, viewer, shown);
	useEffect(() => {
		if (!get().files.get(server)?.folders.has('')) void fileListing(get).loadFolder(server, '');
	}, [get, server]);
	// A newer list of servers proves that the service responds again, so a failed root folder is
	// reloaded.
	useEffect(() => {
		const tree = treeOf(get(), server);
		if (isListed(tree) && tree.folders.get('')?.status === 'failed')
			void fileListing(get).loadFolder(server, '');
	}, [get, server, seenAt]);

	const first = rows[0]?.path;
	useLayoutEffect(() => {
		// Sets the cursor to the path of the first entry. The cursor then stays on that entry when
		// another one appears above it.
		if (first !== undefined && first !== '' && treeOf(get(), server).cursor === '')
			fileListing(get).changeTree(server, {cursor: first});
	});
	const index = shown?.sheet.index;
	// Repeats the search when a new text has arrived.
	useEffect(
		() => viewerKeys(get, server, () => shownIn(get(), server, rect)).lookAgain(),
		[get, server, index],
	);
	const cursor = isTyping ? document?.cursor : null;
	const field =
		document === null && isTyping && viewer?.find?.typing ? lineField(viewer.find.field, FIND_FIELD) : null;
	return (
		<>
			<FilesView
				{...{server, tree, rows, connection, viewer, shown, document, transfer, list, filtering}}
				focus={hasKeys ? part : null}
				layout={layout}
			/>
			{cursor && !covered && <CursorAt x={layout.viewer.x + cursor.x} y={rect.y + cursor.y} />}
			{field && <CursorAt x={layout.viewer.x + 4 + field.x} y={rect.y} />}
		</>
	);
};
