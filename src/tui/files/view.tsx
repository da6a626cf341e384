import {Box} from 'ink';
import {NO_LISTING} from './tree/listing.ts';
import type {FileTree, Folder} from './tree/tree.ts';
import type {ListView} from '../core/store/lists.ts';
import {idle} from '../core/store/remote.ts';
import type {Connection} from '../core/store/session.ts';
import type {Transfer} from './tree/transfers.ts';
import {fileShown, isBrokenOff, type Viewer} from './viewer/open-file.ts';
import {label} from '../../text/safe.ts';
import {cellWidth, cut, fit} from '../../text/width/width.ts';
import {wrap} from '../../text/width/wrap.ts';
import {bytesText, sizeText} from '../../text/size.ts';
import {filterMark} from '../core/components/filter-mark.ts';
import {failureBelowRows, freshness, emptyStateRows, isFailing} from '../core/components/remote-line.ts';
import {callDetailsHint} from '../core/components/key-hint.ts';
import {paneTitle, titleRule} from '../core/components/pane-title.ts';
import {positionText, withScrollMark} from '../core/components/position.ts';
import {Divider, Rows} from '../core/components/rows.tsx';
import {windowAround} from '../core/components/scroll.ts';
import {CursorAt} from '../core/frame/cursor.tsx';
import {BODY_TOP} from '../core/frame/workspace-layout.ts';
import {ALL_ROWS} from '../core/frame/drawn-rows.ts';
import {isKeyAvailable, keyFor} from '../core/keys/live-keys.ts';
import {glyph} from '../core/theme/glyphs.ts';
import {paint} from '../core/theme/theme.ts';
import type {DocumentView} from './document.ts';
import {cursorAt, type FilesLayout} from './layout.ts';
import type {Shown} from './viewer/shown.ts';
import {viewerTitle} from './viewer/title.ts';
import {notText, scrolledTo, viewerLines} from './viewer/lines.ts';
import {isCutShort, type TreeRow} from './tree/rows.ts';

type Props = {
	readonly server: string;
	readonly tree: FileTree;
	readonly rows: readonly TreeRow[];
	readonly viewer: Viewer | undefined;
	/** The filter of the tree, and true while the filter has focus. */
	readonly list: ListView;
	readonly filtering: boolean;
	readonly transfer: Transfer | null;
	/** The open file as it is drawn. */
	readonly shown: Shown;
	/** Document that replaces the file's text. */
	readonly document?: Pick<DocumentView, 'title' | 'rows'> | null;
	/** Focused part; null if the pane has no focus. */
	readonly focus: 'tree' | 'viewer' | null;
	readonly connection: Connection;
	readonly layout: FilesLayout;
};

/** Least width of a tree that shows sizes, in cells. */
const WITH_SIZES = 22;

const treeLine = (
	row: TreeRow,
	{cursor, focused, isOld}: {readonly cursor: boolean; readonly focused: boolean; readonly isOld: boolean},
	width: number,
): string => {
	const mark = row.isFolder ? (row.unfolded ? glyph.unfolded : glyph.folded) : ' ';
	const size = row.isFolder || row.size === null || width < WITH_SIZES ? '' : sizeText(row.size);
	const end = row.note === null ? size : label(row.note, 40);
	const name = `${cursor ? glyph.cursor : ' '} ${'  '.repeat(row.depth)}${mark} ${label(row.name)}`;
	// Leaves room for a space after the size and for the scroll mark.
	const left = fit(name, Math.max(8, width - cellWidth(end) - 3));
	const line = `${left} ${end}  `;
	if (cursor && focused) return paint('selected', fit(line, width));
	if (row.note !== null)
		return `${cursor ? paint('own', left) : left} ${paint(row.hasFailed ? 'bad' : 'dim', end)}  `;
	return cursor ? paint('own', line) : isOld ? paint('dim', line) : line;
};

/** Maximum number of rows for the reason why only the start of a file arrived. */
const BROKEN_OFF = 4;

/** Progress of a transfer, shown instead of the title. */
const transferLine = ({direction, total, done, bytes, current}: Transfer, width: number): string => {
	const count = total === 0 ? 'looking for files' : `${Math.min(done + 1, total)}/${total}`;
	return cut(
		` ${paint('busy', direction === 'upload' ? 'Uploading' : 'Downloading')} ${count}  ${bytesText(bytes)}  ${current === null ? '' : label(current)}`,
		width,
	);
};

const SOURCES: Readonly<Record<FileTree['source'], string>> = {
	service: 'listed by the service',
	server: 'listed by the server itself',
	code: 'listed by code on the server',
	known: 'paths known here',
};

/**
 * Lines in place of a tree if nothing can list the folders. The API does not require that a service
 * lists folders, so this is not shown as a failure.
 */
const unlisted = (root: Folder, width: number): readonly string[] => {
	const said =
		root.failure === undefined || root.failure.message === NO_LISTING
			? []
			: [
					`   It answered: ${label(root.failure.message, 300)}.`,
					`   ${callDetailsHint(root.failure, 'global.evidence')}`,
				];
	const isByCode = isKeyAvailable('tree.listByCode');
	const more =
		width < WITH_SIZES
			? []
			: [...(isByCode ? ['   The code is a short piece of Python that runs on the server.'] : []), ...said];
	return [
		...wrap(
			`   This service lists no folders: ${isByCode ? `${paint('accent', keyFor('tree.listByCode'))} lists them by code, ` : ''}${paint('accent', keyFor('tree.path'))} goes to a path that you know.`,
			width - 1,
			{hang: 3},
		),
		...more.flatMap(line => wrap(line, width - 1, {hang: 3})).map(line => paint('dim', line)),
	];
};

type TreeProps = Omit<Props, 'shown' | 'document'>;

/** Title of the tree, and its rows or the text that replaces them. */
const treeColumn = ({
	server,
	tree,
	rows,
	viewer,
	transfer,
	list: view,
	filtering,
	focus,
	...rest
}: TreeProps) => {
	const {connection, layout} = rest;
	const {width} = layout.tree;
	const height = layout.treeRows;
	const cursor = cursorAt(rows, tree);
	const from = windowAround(cursor, height, rows.length);
	const isNarrow = viewer !== undefined;
	const position = isNarrow ? '' : positionText(cursor, rows.length);
	const root = tree.folders.get('') ?? idle;
	const mark = filterMark(view, filtering);
	const words = paneTitle({
		name: 'Files',
		server,
		detail:
			!isNarrow && mark.text === '' && (root.value !== undefined || tree.source === 'known')
				? isFailing(root) && root.value !== undefined
					? freshness(root, Date.now())
					: `${SOURCES[tree.source]}${isCutShort(tree, root) ? ', the first only' : ''}${tree.isOutdated ? ', before code ran' : ''}`
				: '',
		focused: focus === 'tree',
		width: width - 3,
		taken: cellWidth(mark.text) + (position === '' ? 0 : position.length + 2),
	});
	const title = transfer
		? titleRule({left: `${transferLine(transfer, width - 4)} `, focused: focus === 'tree', width})
		: titleRule({
				left: mark.text === '' ? words : `${words}${mark.text} `,
				right: paint('dim', position),
				focused: focus === 'tree',
				width,
			});
	const field =
		filtering && focus === 'tree'
			? {x: layout.tree.x + 1 + cellWidth(words) + mark.x, y: layout.tree.y}
			: null;
	const listed = rows
		.slice(from, from + height)
		.map((row, offset) =>
			treeLine(
				row,
				{cursor: from + offset === cursor, focused: focus === 'tree', isOld: isFailing(root)},
				width,
			),
		);
	const lines =
		rows.length > 0
			? withScrollMark(listed, {from, height, count: rows.length, width: width + (layout.tree.edge ?? 0)})
			: [
					'',
					...(view.filter.text.trim() !== ''
						? wrap(paint('dim', '   No file in the folders seen so far matches the filter.'), width - 1, {
								hang: 3,
							})
						: tree.source === 'known'
							? unlisted(root, width)
							: emptyStateRows(root, connection, {
									width,
									what: 'files',
									empty: `No files${tree.hidden ? ' yet' : ', or only hidden ones'}${isKeyAvailable('tree.add') ? `: ${keyFor('tree.add')} creates one, ${keyFor('tree.upload')} uploads` : ''}.`,
								})),
				];
	const below =
		rows.length === 0
			? []
			: tree.source === 'known'
				? ['', ...unlisted(root, width)]
				: failureBelowRows(root, connection, {width});
	return {title, lines, below, field};
};

const TreeColumn = (props: TreeProps) => {
	const {layout} = props;
	const {title, lines, below, field} = treeColumn(props);
	const {width, edge = 0} = layout.tree;
	// A tree over the file: each row is as wide as the tree, to cover the file.
	const covering = (rows: readonly string[]): readonly string[] =>
		layout.isDrawer ? rows.map(row => (cellWidth(row) < width ? fit(row, width) : row)) : rows;
	const height = Math.min(layout.treeRows, lines.length);
	const rest = layout.treeRows - height;
	return (
		<Box flexDirection="column" width={width + edge} flexShrink={0}>
			<Rows height={1} lines={covering([title])} />
			<Rows list={ALL_ROWS} height={height} lines={covering(lines)} />
			<Rows
				height={rest}
				lines={covering(
					Array.from({length: layout.isDrawer ? rest : below.length}, (_, at) => below[at] ?? ''),
				)}
			/>
			{field && <CursorAt {...field} />}
		</Box>
	);
};

/** The open file with its title. */
const ViewerColumn = ({
	viewer,
	shown,
	document,
	focus,
	connection,
	layout,
}: Props & {readonly viewer: Viewer}) => {
	const {width, edge = 0} = layout.viewer;
	const file = fileShown(viewer);
	// The failure is drawn on the last rows, where the missing lines would follow.
	const broken = isBrokenOff(viewer)
		? failureBelowRows(viewer.file, connection, {width, most: BROKEN_OFF})
		: [];
	const body = document
		? document.rows
		: file === undefined
			? emptyStateRows(viewer.file, connection, {width, what: 'the file'})
			: shown === null
				? ['', ...notText(file).map(line => `  ${line}`)]
				: shown.sheet.index.text === ''
					? [paint('dim', '   This file is empty.')]
					: withScrollMark(
							viewerLines(
								shown.sheet,
								{...viewer, line: shown.code[viewer.cell ?? -1]?.row ?? viewer.line},
								shown.window,
								shown.isLaidOut,
							),
							scrolledTo(viewer, shown, width + edge),
						);
	const room = layout.viewerRows;
	return (
		<Box flexDirection="column" width={width + edge} flexShrink={0}>
			<Rows height={1} lines={[document?.title ?? viewerTitle(viewer, shown, focus === 'viewer', width)]} />
			<Rows height={room} lines={[...body.slice(0, room - broken.length), ...broken].slice(0, room)} />
		</Box>
	);
};

/** The tree, and the open file beside it or behind it. */
export const FilesView = (props: Props) => {
	const {viewer, layout, focus} = props;
	if (viewer === undefined) return <TreeColumn {...props} />;
	// The divider is drawn first, and the tree's scroll mark over it.
	const tree = (
		<>
			<Box position="absolute" left={layout.tree.width} top={0} width={1}>
				<Divider height={layout.tree.height} isTop={layout.tree.y === BODY_TOP} />
			</Box>
			<TreeColumn {...props} />
		</>
	);
	return (
		<Box>
			{!layout.isDrawer && tree}
			<ViewerColumn {...props} viewer={viewer} />
			{layout.isDrawer && focus === 'tree' && (
				<Box position="absolute" left={0} top={0}>
					{tree}
				</Box>
			)}
		</Box>
	);
};
