import {Text} from 'ink';
import {render} from 'ink-testing-library';
import {expect, test, vi} from 'vitest';
import type {Client} from '../../src/api/client-types.ts';
import {NO_FILTER} from '../../src/query/filter.ts';
import type {ComputeOption} from '../../src/contract/compute.ts';
import type {OfferRow} from '../../src/tui/compute/rows.ts';
import {EMPTY_REPL} from '../../src/tui/repl/transcript.ts';
import {createStore} from '../../src/tui/create-store.ts';
import {footerLine} from '../../src/tui/core/frame/footer.ts';
import type {FileTree} from '../../src/tui/files/tree/tree.ts';
import {EMPTY_TREE} from '../../src/tui/files/tree/listing.ts';
import type {Viewer} from '../../src/tui/files/viewer/open-file.ts';
import {createEditor} from '../../src/text/editor/editor.ts';
import {createLineIndex} from '../../src/text/columns/line-index.ts';
import {TOP} from '../../src/text/columns/viewport.ts';
import {durationText} from '../../src/tui/core/components/age.ts';
import {useMarkdown} from '../../src/tui/core/components/markdown.ts';
import {editorLines} from '../../src/tui/core/components/editor-lines.ts';
import {AssistantView} from '../../src/tui/assistant/view.tsx';
import {turnBlock} from '../../src/tui/assistant/turn-lines.ts';
import * as markdown from '../../src/text/markdown/markdown.ts';
import {detailBeside} from '../../src/tui/compute/detail.ts';
import {ComputeView} from '../../src/tui/compute/view.tsx';
import {descriptionLines, EnvironmentsView} from '../../src/tui/environments/view.tsx';
import {filesLayout} from '../../src/tui/files/layout.ts';
import {FilesView} from '../../src/tui/files/view.tsx';
import {blocksOf} from '../../src/tui/cells/rows/cell-lines.ts';
import {sheetOf} from '../../src/tui/files/viewer/lines.ts';
import {ReplView} from '../../src/tui/repl/view.tsx';
import {serverColumns} from '../../src/tui/servers/columns.ts';
import {ServersView} from '../../src/tui/servers/view.tsx';
import {paint} from '../../src/tui/core/theme/theme.ts';
import {cell, offer, ready, server, turn} from '../support/factories.ts';
import {treeRows} from '../../src/tui/files/tree/rows.ts';

const connection = {status: 'ready'} as const;
const place = {cursor: 0, focused: true, now: 0, width: 96, height: 20};
const view = {view: {filter: createEditor(), cursor: null, at: 0, sort: null}, filtering: false} as const;
const plain = (frame: string | undefined): string => (frame ?? '').replaceAll(/\u001B\[[\d;]*m/g, '');
const editor = editorLines(createEditor('x = 1'), {
	width: 96,
	height: 5,
	prompt: ' >>> ',
	more: ' ... ',
	active: true,
});

test('the servers list shows state, compute, environment, rate and estimate of each server', () => {
	const two = [server({status: 'offline'}), server({name: 'b', status: 'warming up'})];
	const {lastFrame} = render(
		<ServersView
			servers={ready(two, 1)}
			rows={two}
			{...view}
			connection={connection}
			columns={serverColumns(() => ({rate: 0.1, estimate: 0.04, atLeast: false}), null)}
			total={{rate: 0.1, estimate: 0.04, atLeast: false, known: 1, unknown: 0}}
			waiting={[]}
			{...place}
		/>,
	);
	const frame = plain(lastFrame());
	expect(frame).toMatch(/▸ welcome +○ offline +svc-medium +ai +0\.10 +0\.04 /);
	expect(frame).toMatch(/b +· warming up/);
	expect(frame).toContain('1 unreadable');
});

test('at 80 columns the money line keeps the estimate beside rates that are unknown', () => {
	const two = [server(), server({name: 'b', status: 'running'})];
	const {lastFrame} = render(
		<ServersView
			servers={ready(two)}
			rows={two}
			{...view}
			connection={connection}
			columns={serverColumns(() => ({rate: 0.1, estimate: 0.04, atLeast: false}), null)}
			total={{rate: 1.05004, estimate: 12.5, atLeast: true, known: 1, unknown: 10}}
			waiting={[]}
			{...place}
			width={80}
		/>,
	);
	expect(plain(lastFrame()).split('\n')[1]).toMatch(
		/^ ≥1\.05\d*\/h now +(?:≥25\/day if left on +)?10 unknown +today est\. ≥12\.50 *$/,
	);
});

test('a list that could not be refreshed keeps its rows and shows the problem and the remedy', () => {
	const failure = {kind: 'unreachable', method: 'GET', path: '/servers', message: 'nothing answers'} as const;
	const {lastFrame} = render(
		<ServersView
			servers={{...ready([server()]), status: 'failed', failure}}
			rows={[server()]}
			{...view}
			connection={connection}
			columns={serverColumns(() => ({rate: undefined, estimate: undefined, atLeast: false}), null)}
			total={{rate: 0, estimate: 0, atLeast: false, known: 0, unknown: 0}}
			waiting={[]}
			{...place}
		/>,
	);
	const frame = plain(lastFrame());
	expect(frame).toContain('welcome');
	expect(frame).toMatch(/\d+ (?:s|min|h) old/);
	expect(frame).toMatch(/nothing answers\.[^]*Check the address, your network/);
});

const row = (option: ComputeOption): OfferRow => ({
	kind: 'offer',
	id: option.name,
	offer: option.name,
	option,
});

test('the catalogue shows sizes, prices and regions; a CPU offer has no GPU figures, and an unreadable size is shown unchanged', () => {
	const options = [
		offer(),
		offer({name: 'Medium CPU', num_gpus: 0, cloud_host: 'svc'}),
		offer({name: 'H100 (8x)', num_gpus: 8, memory: 'lots', hourly_price: 16}),
	];
	const rows = options.map(row);
	const filter = {...NO_FILTER, regions: ['any', 'Any']};
	const {lastFrame} = render(
		<ComputeView
			compute={ready(options)}
			rows={rows}
			measured={rows}
			narrowed={{rows: options, without: {regions: 2}, unknown: {}}}
			filter={filter}
			within={new Set(filter.regions)}
			view={{filter: createEditor('region:any region:Any')}}
			connection={connection}
			fault={null}
			sort={{key: 'price', direction: 'ascending'}}
			grouping={null}
			marked={new Set()}
			changes={null}
			variants={new Set()}
			watching=""
			detail={undefined}
			filtering={false}
			{...place}
			width={120}
		/>,
	);
	const frame = plain(lastFrame());
	expect(frame).toMatch(/GPU +VRAM +CPU +Mem +↑Price \/h +Up in +Host/);
	expect(frame).toMatch(/A100 80G +1×80 +8 +64 +1\.50 +any +1\/2 +lambdalabs/);
	expect(frame).toMatch(/Medium CPU +— +8 +64 +1\.50 +any +1\/2 +svc/);
	expect(frame).toMatch(/H100 +8×80 +8 +lots +16\.00 +any +1\/2 +lambdalabs/);
	expect(frame).toContain('region:any region:Any −2');
});

test('the pane beside the table shows the machine, the position of its price, and its regions, two of which differ only in case', () => {
	const option = offer({
		num_gpus: 2,
		name: 'A100 80G (2x)',
		total_vram: '160G',
		hourly_price: 4,
		note: 'Rented by the hour.',
	});
	const others = [option, offer({hourly_price: 1}), offer({hourly_price: 3})];
	const detail = {
		option,
		alike: others,
		regions: ['eu-1'],
		variants: new Set(['any', 'Any']),
		change: {isNew: false, priceBefore: 5, opened: ['any'], closed: []},
	};
	const frame = detailBeside(detail, 39, 38).map(plain).join('\n');
	expect(frame).toMatch(/GPU +2 × A100 80G/);
	expect(frame).toMatch(/VRAM +160 GB together/);
	expect(frame).toMatch(/4\.00\/h +96\/day +2\.00 per GPU/);
	expect(frame).toMatch(/1\.00 ┼─+◆─+┼ 3\.00/);
	expect(frame).toContain('2nd of 3 offers with this GPU, per GPU');
	expect(frame).toContain('was 5.00/h');
	expect(frame).toContain('now available in any');
	expect(frame).toContain('Rented by the hour.');
	expect(frame).toContain('Up in 1 of 2 regions');
	expect(frame).toMatch(/✓ any · case-sensitive[^]*✗ Any · case-sensitive[^]*— eu-1 · not offered/);
});

test('the description of an environment is formatted as markdown', async () => {
	const Loaded = () => (useMarkdown() === undefined ? null : <Text>loaded</Text>);
	const {lastFrame} = render(<Loaded />);
	await vi.waitFor(() => expect(lastFrame()).toContain('loaded'));
	const environment = {
		environment_id: 'ai',
		name: 'AI',
		description: '**PyTorch**, see [its pages](https://pytorch.example).\n\n- CUDA 13',
	};
	expect(descriptionLines(environment, [], undefined, 60).map(plain).slice(-5, -2)).toEqual([
		'PyTorch, see its pages (https://pytorch.example).',
		'',
		'• CUDA 13',
	]);
});

test('an environment is shown with its description and the servers that use it', () => {
	const environment = {environment_id: 'ai', name: 'AI', description: 'For general work.'};
	const {lastFrame} = render(
		<EnvironmentsView
			environments={ready([environment])}
			rows={[environment]}
			{...view}
			usedBy={new Map([['ai', [{name: 'welcome', mark: '●', role: 'good'}]]])}
			description={descriptionLines(environment, [{name: 'welcome', mark: '●', role: 'good'}], undefined, 50)}
			top={0}
			connection={connection}
			{...place}
		/>,
	);
	const frame = plain(lastFrame());
	expect(frame).toMatch(/▸ AI/);
	expect(frame).toContain('For general work.');
	expect(frame).toMatch(/Used by +● welcome/);
});

const filesPane = {
	server: 'welcome',
	transfer: null,
	list: view.view,
	filtering: false,
	focus: 'tree',
	connection,
} as const;
const PLACE = {x: 0, y: 2, height: 16} as const;

test('on a service without folder listings the pane says so calmly, for any response, with the keys to continue', () => {
	const failure = {
		kind: 'server',
		method: 'GET',
		path: '/f',
		status: 500,
		message: 'x.example failed (500): no such table',
	} as const;
	const tree: FileTree = {
		...EMPTY_TREE,
		source: 'known',
		folders: new Map([['', {status: 'failed', failure}]]),
	};
	const frameOf = (each: FileTree): string =>
		render(
			<FilesView
				{...filesPane}
				tree={each}
				rows={treeRows(each)}
				viewer={undefined}
				shown={null}
				layout={filesLayout({...PLACE, width: 96}, false)}
			/>,
		).lastFrame() ?? '';
	for (const frame of [frameOf(tree), frameOf({...tree, recent: ['a/b.py']})]) {
		expect(plain(frame).replaceAll(/\s+/g, ' ')).toContain(
			'This service lists no folders: Space L lists them by code, p goes to a path that you know.',
		);
		expect(plain(frame)).toContain('It answered: x.example failed (500): no such table');
		expect(frame).not.toContain(paint('bad', 'x').replace(/x.*/s, ''));
	}
	expect(plain(frameOf({...tree, recent: ['a/b.py']}))).toContain('a/b.py');
});

test('the tree is beside the open file, which is numbered', () => {
	const tree: FileTree = {
		...EMPTY_TREE,
		cursor: 'src/a.py',
		unfolded: new Set(['src']),
		folders: new Map([
			[
				'',
				{status: 'ready', value: [{name: 'src', path: 'src', isFolder: true, size: null, modified: null}]},
			],
			[
				'src',
				{
					status: 'ready',
					value: [{name: 'a.py', path: 'src/a.py', isFolder: false, size: 1234, modified: null}],
				},
			],
		]),
	};
	const index = createLineIndex('import os\n\tx\u001B]0;t\u0007\n');
	index.advance(Infinity);
	const viewer: Viewer = {
		path: 'src/a.py',
		file: {status: 'ready', value: {name: 'a.py', path: 'src/a.py', type: 'file'}},
		beginning: null,
		top: TOP,
		left: 0,
		wrapped: false,
		raw: false,
		levels: 2,
		line: null,
		cell: null,
		mark: null,
		find: null,
		known: 2,
	};
	const shown = {
		sheet: sheetOf(index, {spansOf: () => [], find: null, match: null}),
		window: {room: 50, height: 8, wrapped: false, left: 0},
		kind: 'text' as const,
		laid: null,
		isLaidOut: false,
		isPart: false,
		code: [],
		rest: null,
		problem: null,
	};
	const {lastFrame} = render(
		<FilesView
			{...filesPane}
			tree={tree}
			rows={treeRows(tree)}
			viewer={viewer}
			shown={shown}
			layout={filesLayout({...PLACE, width: 60, rail: 24}, true)}
		/>,
	);
	const frame = plain(lastFrame());
	expect(frame).toMatch(/▿ src/);
	expect(frame).toMatch(/▸ {5}a\.py +1\.2 K/);
	expect(frame).toMatch(/1 {2}import os/);
	expect(frame).toContain('^[]0;t^G');
});

test('a cell shows its number, output, value and time; the editor is below', () => {
	const result = {
		cell_type: 'code',
		execution_count: 4,
		metadata: {},
		source: '1+1',
		outputs: [
			{output_type: 'stream', name: 'stdout', text: 'hello\n'},
			{output_type: 'execute_result', execution_count: 4, data: {'text/plain': '2'}, metadata: {}},
		],
	};
	const repl = {...EMPTY_REPL, cells: [cell({result, startedAt: 0, endedAt: 1200})]};
	const shown = (elapsed: number | null, isAway = false): string => {
		const {lastFrame} = render(
			<ReplView
				server="welcome"
				repl={repl}
				link={{kind: 'live'}}
				isAway={isAway}
				top={null}
				blocks={blocksOf(repl, {width: 96, pictureStyle: {depth: 24, blocks: 'quadrants'}, pictureRows: 20})}
				reading={false}
				found={null}
				marked={undefined}
				field={null}
				editor={editor}
				elapsed={elapsed}
				focused
				width={96}
				height={20}
			/>,
		);
		return plain(lastFrame());
	};
	const frame = shown(null);
	expect(frame).toMatch(/\[4\] {2}1\+1 +1\.2 s/);
	expect(frame).toMatch(/^ {7}hello$/m);
	expect(frame).toMatch(/^ {2}→ {4}2$/m);
	expect(frame).toMatch(/>>> x = 1/);
	expect(shown(999)).toMatch(/── running ──/);
	expect(shown(1000)).toMatch(/REPL · welcome · Python · live [^]*── running 1\.0 s ──/);
	expect(shown(1000, true)).toMatch(/REPL · welcome · Python · its host cannot be reached now/);
});

test('an answer is below its question with its cost; missing usage is n/a', () => {
	const turns = [
		turn({answer: 'It reads a CSV.', state: 'done'}),
		turn({id: 2, question: 'more?', answer: 'Some', state: 'stopped'}),
	];
	const {lastFrame} = render(
		<AssistantView
			server="welcome"
			isLocal
			detail="model_1"
			tray={[]}
			meter=""
			blocks={turns.map(
				each =>
					turnBlock(each, {width: 96, engine: markdown, raw: false, showsThinking: false, models: []}).lines,
			)}
			top={null}
			codes={[]}
			looked={null}
			editor={editor}
			answering=""
			focused
			width={96}
			height={20}
		/>,
	);
	const frame = plain(lastFrame());
	expect(frame).toMatch(/› what is in a\.py\?/);
	expect(frame).toMatch(/ It reads a CSV\./);
	expect(frame).toContain('tokens unknown');
	expect(frame).toContain('stopped; the part received is kept');
});

test('after the clock was set back a day, ages are never negative and a running cell counts from zero', () => {
	const day = 86_400_000;
	const {lastFrame} = render(
		<ServersView
			servers={{...ready([server()]), at: day}}
			rows={[server()]}
			{...view}
			connection={connection}
			columns={serverColumns(() => ({rate: undefined, estimate: undefined, atLeast: false}), null)}
			total={{rate: 0, estimate: 0, atLeast: false, known: 0, unknown: 0}}
			waiting={[]}
			{...place}
			now={0}
		/>,
	);
	expect(plain(lastFrame())).toContain('just now');
	expect(plain(lastFrame())).not.toMatch(/-\d/);
	expect(durationText(-day)).toBe('0.0 s');
});

test("the empty assistant describes the built-in one's abilities on our own service only", () => {
	const said = (isLocal: boolean): string =>
		plain(
			render(
				<AssistantView
					server="welcome"
					isLocal={isLocal}
					detail="model_1"
					tray={[]}
					meter=""
					blocks={[]}
					top={null}
					codes={[]}
					looked={null}
					editor={editor}
					answering=""
					focused
					width={96}
					height={20}
				/>,
			).lastFrame(),
		).replaceAll(/\s+/g, ' ');
	expect(said(true)).toContain('json.loads. @ attaches a file');
	expect(said(false)).toContain('Ask about your code or your data. @ attaches a file or a cell');
});

test('the key that starts a server is hinted at where there is an offline one to start', () => {
	const store = createStore({
		client: () => new Promise<Client>(() => {}),
		copy: async () => ({isInClipboard: false, isInTmux: false, isAsked: true}),
		show: async () => false,
		open: async () => false,
		edit: () => Promise.reject(new Error('no editor')),
		now: Date.now,
	});
	const footer = (current: string | null, columns = 100): string => {
		store.setState({
			screen: 'repl',
			current,
			servers: ready([
				server({name: 'asleep', status: 'offline'}),
				server({name: 'coming', status: 'queued'}),
				server({name: 'busy', status: 'busy'}),
			]),
		});
		return plain(footerLine(store.getState(), {columns, rows: 30}));
	};
	expect(footer('asleep')).toMatch(/ s start {2}/);
	for (const name of ['coming', 'missing', null]) expect(footer(name)).not.toContain('start');
	store.setState({servers: {status: 'idle'}, current: 'asleep'});
	expect(plain(footerLine(store.getState(), {columns: 100, rows: 30}))).not.toContain('start');
	store.setState({isLocal: false});
	expect(footer('busy', 60)).toMatch(/ s start {3}\^T try anyway {3}Space more {3}\? help/);
});
