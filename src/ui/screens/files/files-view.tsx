import {Box} from 'ink';
import {useMemo} from 'react';
import type {FileTree, TreeRow} from '../../../store/files.ts';
import {idle} from '../../../store/remote.ts';
import type {Connection} from '../../../store/session.ts';
import {label} from '../../../text/safe.ts';
import {cellWidth, fit} from '../../../text/width.ts';
import {sizeText} from '../../components/age.ts';
import {failureLines, insteadOfRows} from '../../components/remote-line.ts';
import {Rows} from '../../components/rows.tsx';
import {windowAround} from '../../components/scroll.ts';
import {glyph} from '../../theme/glyphs.ts';
import {paint} from '../../theme/theme.ts';
import {notText, textLines, viewerLines} from './viewer-lines.ts';

type Props = {
	readonly server: string;
	readonly tree: FileTree;
	readonly rows: readonly TreeRow[];
	/** Which part has the keys; null when the pane has not. */
	readonly focus: 'tree' | 'viewer' | null;
	readonly connection: Connection;
	readonly width: number;
	readonly height: number;
};

/** Rows of the tree and of the viewer for a pane of this height; a title, a rule and the viewer's own title come off. */
export const filesLayout = (height: number, rowCount: number, opened: boolean): {readonly tree: number; readonly viewer: number} => {
	if (!opened) return {tree: height - 1, viewer: 0};
	const tree = Math.max(3, Math.min(rowCount, Math.floor((height - 3) * 0.4)));
	return {tree, viewer: Math.max(1, height - 2 - tree)};
};

const treeLine = (row: TreeRow, cursor: boolean, focused: boolean, width: number): string => {
	const mark = row.isFolder ? (row.unfolded ? glyph.unfolded : glyph.folded) : ' ';
	const size = row.isFolder || row.size === null ? '' : sizeText(row.size);
	const end = row.note === null ? size : label(row.note, 40);
	const name = `${cursor ? glyph.prompt : ' '}${'  '.repeat(row.depth)}${mark} ${label(row.name)}`;
	const line = `${fit(name, Math.max(8, width - cellWidth(end) - 2))} ${end} `;
	if (cursor && focused) return paint('selected', fit(line, width));
	return cursor ? paint('own', line) : line;
};

const viewerTitle = (path: string, lines: readonly string[] | null, tree: FileTree, focused: boolean, width: number): string => {
	const place = lines === null ? '' : ` ${tree.top + 1}/${lines.length}${tree.left > 0 ? `  col ${tree.left + 1}` : ''} `;
	const name = ` ${label(path)} `;
	const rule = glyph.rule.repeat(Math.max(0, width - cellWidth(name) - cellWidth(place) - 2));
	return `${paint('dim', glyph.rule)}${focused ? paint('own', name) : name}${paint('dim', rule)}${paint('dim', place)}${paint('dim', glyph.rule)}`;
};

/** The tree above, the open file below it. */
export const FilesView = ({server, tree, rows, focus, connection, width, height}: Props) => {
	const {opened} = tree;
	const file = opened?.file.value;
	const lines = useMemo(() => (file ? textLines(file) : null), [file]);
	const layout = filesLayout(height, rows.length, opened !== null);
	const cursor = Math.max(0, rows.findIndex(row => row.path === tree.cursor));
	const from = windowAround(cursor, layout.tree, rows.length);
	const root = tree.folders.get('') ?? idle;
	const title = ` ${paint(focus === null ? 'dim' : 'heading', 'Files')} ${paint('dim', '·')} ${label(server, 40)} ${paint('dim', '· listed by the service')}`;
	const list = rows.length > 0
		? rows.slice(from, from + layout.tree).map((row, offset) => treeLine(row, from + offset === cursor, focus === 'tree', width))
		: insteadOfRows(root, connection, 'This server has no files yet.', width);
	if (opened === null) return <Rows height={height} lines={[title, ...list, ...(rows.length > 0 ? failureLines(root, width) : [])]}/>;
	const body = file === undefined
		? insteadOfRows(opened.file, connection, '', width)
		: lines === null ? ['', ...notText(file).map(line => `  ${line}`)]
			: viewerLines(lines, {top: tree.top, left: tree.left, wrapped: tree.wrap, width, height: layout.viewer});
	return (
		<Box flexDirection="column">
			<Rows height={layout.tree + 2} lines={[title, ...list, ...Array.from({length: Math.max(0, layout.tree - list.length)}, () => ''), viewerTitle(opened.path, lines, tree, focus === 'viewer', width)]}/>
			<Rows height={layout.viewer} lines={body}/>
		</Box>
	);
};
