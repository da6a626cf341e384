import {useEffect, useMemo} from 'react';
import {EMPTY_TREE, treeRows} from '../../../store/files.ts';
import {clamp, movements} from '../../components/scroll.ts';
import type {Rect} from '../../frame/layout.ts';
import {useKeys} from '../../keys/keys.tsx';
import {useApp, useGetState} from '../../store-context.ts';
import {filesLayout, FilesView} from './files-view.tsx';
import {lastTopOf, textLines} from './viewer-lines.ts';

const SIDEWAYS = 8;

export const FilesScreen = ({server, rect, hasKeys}: {readonly server: string; readonly rect: Rect; readonly hasKeys: boolean}) => {
	const get = useGetState();
	const tree = useApp(state => state.files.get(server)) ?? EMPTY_TREE;
	const part = useApp(state => state.paneFocus.files);
	const connection = useApp(state => state.connection);
	const rows = useMemo(() => treeRows(tree), [tree]);
	const layout = filesLayout(rect.height, rows.length, tree.opened !== null);
	const file = tree.opened?.file.value;
	const lines = useMemo(() => (file && textLines(file)) ?? [], [file]);
	const lastTop = useMemo(() => lastTopOf(lines, {wrapped: tree.wrap, width: rect.width, height: layout.viewer}), [lines, tree.wrap, rect.width, layout.viewer]);
	useEffect(() => {
		if (!get().files.get(server)?.folders.has('')) void get().loadFolder(server, '');
	}, [get, server]);

	const change = (next: Parameters<ReturnType<typeof get>['changeTree']>[1]): void => get().changeTree(server, next);
	const latest = () => get().files.get(server) ?? EMPTY_TREE;
	const at = (): number => Math.max(0, rows.findIndex(row => row.path === latest().cursor));
	const scrollBy = (lines: number) => () => change({top: clamp(latest().top + lines, 0, lastTop)});
	useKeys('tree', {
		...movements(at, rows.length, layout.tree, to => change({cursor: rows[to]?.path ?? ''})),
		open() {
			const selected = rows[at()];
			if (selected === undefined) return 'There is no file to open';
			change({cursor: selected.path});
			if (selected.isFolder) {
				get().toggleFolder(server, selected.path);
				return;
			}
			void get().openFile(server, selected.path);
			get().focusPart('files', 'viewer');
		},
		fold() {
			const selected = rows[at()];
			if (selected === undefined) return;
			if (selected.isFolder && selected.unfolded) get().toggleFolder(server, selected.path);
			else change({cursor: selected.path.split('/').slice(0, -1).join('/')});
		},
	});
	useKeys('viewer', {
		up: scrollBy(-1),
		down: scrollBy(1),
		pageUp: scrollBy(1 - layout.viewer),
		pageDown: scrollBy(layout.viewer - 1),
		first: scrollBy(-lines.length),
		last: scrollBy(lines.length),
		left: () => change({left: Math.max(0, latest().left - SIDEWAYS)}),
		right: () => (tree.wrap ? 'Lines are wrapped: w turns that off' : change({left: latest().left + SIDEWAYS})),
		wrap: () => change({wrap: !latest().wrap, left: 0}),
		tree: () => get().focusPart('files', 'tree'),
	});
	return <FilesView {...{server, tree, rows, connection}} focus={hasKeys ? part : null} width={rect.width} height={rect.height}/>;
};
