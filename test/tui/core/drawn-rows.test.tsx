import {Box} from 'ink';
import {render} from 'ink-testing-library';
import type {ReactNode} from 'react';
import {expect, test} from 'vitest';
import {createEditor} from '../../../src/text/editor/editor.ts';
import {withoutColours} from '../../../src/text/width/width.ts';
import {NO_FILTER} from '../../../src/query/filter.ts';
import {ComputeView} from '../../../src/tui/compute/view.tsx';
import {Rows} from '../../../src/tui/core/components/rows.tsx';
import {ALL_ROWS, drawnIn, rowsFromCursor} from '../../../src/tui/core/frame/drawn-rows.ts';
import {paint} from '../../../src/tui/core/theme/theme.ts';
import {EMPTY_TREE} from '../../../src/tui/files/tree/listing.ts';
import {treeRows} from '../../../src/tui/files/tree/rows.ts';
import {filesLayout} from '../../../src/tui/files/layout.ts';
import {FilesView} from '../../../src/tui/files/view.tsx';
import {serverColumns} from '../../../src/tui/servers/columns.ts';
import {ServersView} from '../../../src/tui/servers/view.tsx';
import {offer, ready, server} from '../../support/factories.ts';

const connection = {status: 'ready'} as const;
const view = {filter: createEditor(), cursor: null, at: 0, sort: null};

/**
 * Clicks on the rows of a view with these names in a column, and on all other rows. Returns the
 * results.
 */
const clicked = (of: ReactNode, names: readonly string[]) => {
	const {lastFrame, unmount} = render(
		<Box ref={drawnIn} width={96} height={40} flexDirection="column">
			{of}
		</Box>,
	);
	const rows = withoutColours(lastFrame() ?? '').split('\n');
	const isNamed = (row: string): boolean => names.some(name => row.includes(` ${name}  `));
	const answers = rows.map((_, y) => rowsFromCursor(3, y));
	unmount();
	return {
		named: answers.filter((_, y) => isNamed(rows[y] ?? '')),
		others: [...new Set(answers.filter((_, y) => !isNamed(rows[y] ?? '')))],
	};
};

const names = ['a.txt', 'b.txt', 'c.txt', 'd.txt', 'e.txt'];

test('in the tree a row counts from the one under the cursor, not from the title', () => {
	const leaf = (path: string) => ({name: path, path, isFolder: false, size: 1, modified: null});
	const tree = {
		...EMPTY_TREE,
		cursor: 'd.txt',
		folders: new Map([['', {status: 'ready' as const, value: names.map(leaf)}]]),
	};
	const pane = {
		server: 's',
		tree,
		rows: treeRows(tree),
		viewer: undefined,
		shown: null,
		transfer: null,
		list: view,
		filtering: false,
		focus: 'tree' as const,
		connection,
		layout: filesLayout({x: 0, y: 2, width: 96, height: 20}, false),
	};
	expect(clicked(<FilesView {...pane} />, names)).toEqual({named: [-3, -2, -1, 0, 1], others: [null]});
});

test('in the catalogue neither its head nor the detail below is a row', () => {
	const options = ['K1', 'K2', 'K3'].map(name => offer({name}));
	const rows = options.map(option => ({kind: 'offer' as const, id: option.name, offer: option.name, option}));
	const detail = {
		option: offer({name: 'Z'}),
		alike: options,
		regions: ['any'],
		variants: new Set<string>(),
		change: undefined,
	};
	expect(
		clicked(
			<ComputeView
				compute={ready(options)}
				rows={rows}
				measured={rows}
				narrowed={{rows: options, without: {}, unknown: {}}}
				filter={NO_FILTER}
				within={new Set()}
				view={view}
				connection={connection}
				fault={null}
				sort={{key: 'price', direction: 'ascending'}}
				grouping={null}
				marked={new Set()}
				changes={null}
				variants={new Set()}
				watching=""
				detail={detail}
				filtering={false}
				cursor={1}
				focused
				now={0}
				width={96}
				height={40}
			/>,
			['K1', 'K2', 'K3'],
		),
	).toEqual({named: [-1, 0, 1], others: [null]});
});

test('only rows of servers count', () => {
	const items = names.map(name => server({name}));
	expect(
		clicked(
			<ServersView
				servers={ready(items)}
				last={null}
				rows={items}
				view={view}
				filtering={false}
				connection={connection}
				columns={serverColumns(() => ({rate: 0.1, estimate: 0.04, atLeast: false}), null)}
				total={{rate: 0.1, estimate: 0.04, atLeast: false, known: 1, unknown: 0}}
				waiting={[]}
				cursor={2}
				focused
				now={0}
				width={96}
				height={20}
			/>,
			names,
		),
	).toEqual({named: [-2, -1, 0, 1, 2], others: [null]});
});

test('reversed text outside of a list is not a cursor', () => {
	const text = ['printed', paint('selected', 'in reverse'), 'more'];
	expect(clicked(<Rows height={3} lines={text} />, []).others).toEqual([null]);
	expect(clicked(<Rows list={ALL_ROWS} height={3} lines={text} />, []).others).toEqual([-1, 0, 1, null]);
	const titled = [paint('selected', 'a title in reverse'), ...text, 'below'];
	expect(clicked(<Rows list={{from: 1, end: 4}} height={5} lines={titled} />, []).others).toEqual([
		null,
		-1,
		0,
		1,
	]);
});
