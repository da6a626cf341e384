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
import {paneTitle} from '../core/components/pane-title.ts';
import {positionText, withScrollMark} from '../core/components/position.ts';
import {Rows} from '../core/components/rows.tsx';
import {windowAround} from '../core/components/scroll.ts';
import {CursorAt} from '../core/frame/cursor.tsx';
import {ALL_ROWS} from '../core/frame/drawn-rows.ts';
import {isKeyAvailable, keyFor} from '../core/keys/live-keys.ts';
import {glyph} from '../core/theme/glyphs.ts';
import {paint} from '../core/theme/theme.ts';
import type {DocumentView} from './document.ts';
import {cursorAt, filesLayout} from './layout.ts';
import type {Shown} from './viewer/shown.ts';
import {viewerTitle} from './viewer/title.ts';
import {notText, scrolledTo, viewerLines} from './viewer/lines.ts';
import {isCutShort, type TreeRow} from './tree/rows.ts';

type Props = {
	readonly server: string;
	readonly tree: FileTree;
	readonly rows: readonly TreeRow[];
	readonly viewer: Viewer | undefined;
	/** Filter of the tree, and whether it has focus. */
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
	readonly x: number;
	readonly y: number;
	readonly width: number;
	readonly height: number;
};

const treeLine = (
	row: TreeRow,
	{cursor, focused, isOld}: {readonly cursor: boolean; readonly focused: boolean; readonly isOld: boolean},
	width: number,
): string => {
	const mark = row.isFolder ? (row.unfolded ? glyph.unfolded : glyph.folded) : ' ';
	const size = row.isFolder || row.size === null ? '' : sizeText(row.size);
	const end = row.note === null ? size : label(row.note, 40);
	const name = `${cursor ? glyph.cursor : ' '} ${'  '.repeat(row.depth)}${mark} ${label(row.name)}`;
	// Leaves a blank after the size, and a cell for the scroll mark.
	const left = fit(name, Math.max(8, width - cellWidth(end) - 3));
	const line = `${left} ${end}  `;
	if (cursor && focused) return paint('selected', fit(line, width));
	if (row.note !== null)
		return `${cursor ? paint('own', left) : left} ${paint(row.hasFailed ? 'bad' : 'dim', end)}  `;
	return cursor ? paint('own', line) : isOld ? paint('dim', line) : line;
};

/** Most rows about the reason why only the start of a file arrived. */
const BROKEN_OFF = 4;

/** Progress of a transfer, in place of the title. */
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
 * Lines that replace a tree without any source. Services need not list folders, so their response
 * is not a failure.
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
	return [
		...wrap(
			`   This service lists no folders: ${isByCode ? `${paint('accent', keyFor('tree.listByCode'))} lists them by code, ` : ''}${paint('accent', keyFor('tree.path'))} goes to a path that you know.`,
			width - 1,
			{hang: 3},
		),
		...[...(isByCode ? ['   The code is a short piece of Python that runs on the server.'] : []), ...said]
			.flatMap(line => wrap(line, width - 1, {hang: 3}))
			.map(line => paint('dim', line)),
	];
};

/** The tree above, the open file below it. */
export const FilesView = ({
	server,
	tree,
	rows,
	viewer,
	shown,
	document = null,
	transfer,
	list: view,
	filtering,
	focus,
	connection,
	x,
	y,
	width,
	height,
}: Props) => {
	const layout = filesLayout(
		height,
		rows.length,
		viewer !== undefined,
		document === null ? 'read' : 'worked',
	);
	const cursor = cursorAt(rows, tree);
	const from = windowAround(cursor, layout.tree, rows.length);
	const position = positionText(cursor, rows.length);
	const root = tree.folders.get('') ?? idle;
	const mark = filterMark(view, filtering);
	const name = paneTitle({
		name: 'Files',
		server,
		detail:
			mark.text === '' && (root.value !== undefined || tree.source === 'known')
				? isFailing(root) && root.value !== undefined
					? freshness(root, Date.now())
					: `${SOURCES[tree.source]}${isCutShort(tree, root) ? ', the first only' : ''}${tree.isOutdated ? ', before code ran' : ''}`
				: '',
		focused: focus === 'tree',
		width,
		taken: cellWidth(mark.text) + (position === '' ? 0 : position.length + 2),
	});
	const titled = name + mark.text;
	const title = transfer
		? transferLine(transfer, width)
		: position === ''
			? titled
			: `${fit(titled, width - position.length - 2)} ${paint('dim', position)} `;
	const field = filtering && focus === 'tree' && <CursorAt x={x + cellWidth(name) + mark.x} y={y} />;
	/** A sentence starts one row lower without a viewer below, as in the other panes. */
	const above = viewer === undefined ? [''] : [];
	const list =
		rows.length > 0
			? withScrollMark(
					rows
						.slice(from, from + layout.tree)
						.map((row, offset) =>
							treeLine(
								row,
								{cursor: from + offset === cursor, focused: focus === 'tree', isOld: isFailing(root)},
								width,
							),
						),
					{from, height: layout.tree, count: rows.length, width},
				)
			: [
					...above,
					...(view.filter.text.trim() !== ''
						? [paint('dim', '   No file in the folders seen so far matches the filter.')]
						: tree.source === 'known'
							? unlisted(root, width)
							: emptyStateRows(
									root,
									connection,
									`No files${tree.hidden ? ' yet' : ', or only hidden ones'}${isKeyAvailable('tree.add') ? `: ${keyFor('tree.add')} creates one, ${keyFor('tree.upload')} uploads` : ''}.`,
									width,
								)),
				];
	const below =
		rows.length === 0
			? []
			: tree.source === 'known'
				? ['', ...unlisted(root, width)]
				: failureBelowRows(root, connection, width);
	if (viewer === undefined)
		return (
			<Box flexDirection="column">
				<Rows height={1} lines={[title]} />
				<Rows list={ALL_ROWS} height={Math.min(height - 1, list.length)} lines={list} />
				<Rows height={Math.max(0, height - 1 - list.length)} lines={below} />
				{field}
			</Box>
		);
	const file = fileShown(viewer);
	// The failure covers the last rows, after which the missing ones would follow.
	const broken = isBrokenOff(viewer) ? failureBelowRows(viewer.file, connection, width, BROKEN_OFF) : [];
	const body =
		document !== null
			? document.rows
			: file === undefined
				? emptyStateRows(viewer.file, connection, '', width)
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
								scrolledTo(viewer, shown, width),
							);
	return (
		<Box flexDirection="column">
			<Rows height={1} lines={[title]} />
			<Rows list={ALL_ROWS} height={layout.tree} lines={list} />
			<Rows height={1} lines={[document?.title ?? viewerTitle(viewer, shown, focus === 'viewer', width)]} />
			<Rows
				height={layout.viewer}
				lines={[...body.slice(0, layout.viewer - broken.length), ...broken].slice(0, layout.viewer)}
			/>
			{field}
		</Box>
	);
};
