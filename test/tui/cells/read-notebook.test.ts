import {afterEach, expect, test, vi} from 'vitest';
import type {FileEntry} from '../../../src/contract/files.ts';
import {createEditor} from '../../../src/text/editor/editor.ts';
import {NO_MATCH} from '../../../src/tui/files/viewer/finder.ts';
import {notebookIn} from '../../../src/tui/files/viewer/pictures.ts';
import {formatRest} from '../../../src/tui/files/viewer/format-rest.ts';
import {shownOf} from '../../../src/tui/files/viewer/shown.ts';
import {END} from '../../../src/tui/files/viewer-keys.ts';
import type {Viewer} from '../../../src/tui/files/viewer/open-file.ts';
import {viewerTitle} from '../../../src/tui/files/viewer/title.ts';
import {cellWidth, withoutColours} from '../../../src/text/width/width.ts';

const ROOM = {width: 80, height: 20};
const STYLE = {depth: 24, blocks: 'quadrants'} as const;
const ROWS = 100;

afterEach(() => {
	vi.restoreAllMocks();
});

const notebookFile = (cells: number): FileEntry => ({
	name: 'n.ipynb',
	path: 'n.ipynb',
	type: 'notebook',
	format: 'json',
	content: {
		cells: Array.from({length: cells}, (_, at) => ({
			cell_type: 'code',
			execution_count: at,
			metadata: {},
			outputs: [{output_type: 'stream', name: 'stdout', text: `out ${at}\n`.repeat(ROWS)}],
			source: `part = ${at}`,
		})),
		metadata: {},
		nbformat: 4,
		nbformat_minor: 5,
	},
});

const viewerOf = (file: FileEntry, change: Partial<Viewer> = {}): Viewer => ({
	path: file.path,
	file: {status: 'ready', value: file, at: 0},
	beginning: null,
	top: {line: 0, piece: 0, row: 0},
	left: 0,
	wrapped: false,
	raw: false,
	levels: 2,
	line: null,
	cell: null,
	mark: null,
	find: null,
	known: 0,
	...change,
});
const shown = (file: FileEntry, change: Partial<Viewer>, room = ROOM) =>
	shownOf(viewerOf(file, change), STYLE, room);
const textOf = (drawn: ReturnType<typeof shown>): string => drawn?.sheet.index.text ?? '';
const broken = (content: string, path = 'n.ipynb'): FileEntry => ({
	...notebookFile(0),
	path,
	type: 'file',
	format: 'text',
	content,
});

test('a notebook that is not valid JSON is shown as its text, and names value and line', () => {
	expect(shown(broken('{"cells": [\n<<<<<<< HEAD\n'), {})?.problem).toBe('not valid JSON: <<<<<<< in line 2');
	expect(shown(broken('{"cells": [\n{},\n]}'), {})?.problem).toBe(
		'not valid JSON: a comma before ] in line 3',
	);
	expect(shown(broken(''), {})?.problem).toBe('not valid JSON: empty');
});

test.for([
	['{"cells": [', 'broken.ipynb', / broken\.ipynb .* not valid JSON: ends in line 1 +1\/1 /],
	[
		'{"cells": [1,]}',
		'long-name-of-a-notebook.ipynb',
		/ long-name-of-a-notebook\.i.* not valid JSON: a c… 1\/1 /,
	],
] as const)('the title of a broken notebook keeps the name of its file', ([text, path, title]) => {
	const viewer = viewerOf(broken(text, path));
	const drawn = viewerTitle(viewer, shownOf(viewer, STYLE, ROOM), false, 55);
	expect(withoutColours(drawn)).toMatch(title);
	expect(cellWidth(drawn)).toBe(55);
});

test('JSON that a notebook holds as an output is shown with its numbers as they are written', () => {
	const own = '{"a":9007199254740993,"b":1.0,"10":1e5,"2":-0}';
	const content = `{"cells":[{"cell_type":"code","execution_count":1,"metadata":{},"source":"","outputs":[{"output_type":"display_data","metadata":{},"data":{"application/json":${own}}}]}],"nbformat":4}`;
	for (const text of [content, content.replace('"nbformat"', `"x":"${' '.repeat(1_100_000)}","nbformat"`)]) {
		const rows = textOf(shown({...notebookFile(0), type: 'file', format: 'text', content: text}, {}));
		expect(rows.replaceAll(/\s/g, '')).toContain(own);
	}
});

const FIND = {field: createEditor('x'), typing: true, origin: null, ...NO_MATCH};

test.each([
	['the end', {top: END}],
	['words that are looked for', {find: FIND}],
])('of a long notebook a part is formatted at once for %s, and the rest bit by bit', async (_, change) => {
	const cells = 400;
	const file = notebookFile(cells);
	expect(shown(file, {})?.rest).toBeNull();
	const first = shown(file, change);
	expect([first?.sheet.index.complete, first?.laid?.rows.length]).toEqual([
		false,
		expect.toSatisfy((rows: number) => rows < (cells * ROWS) / 4),
	]);
	const {rest} = first ?? {};
	if (!rest) throw new Error('nothing is waited for');
	// Each call of the clock advances it by 5 ms.
	let now = 0;
	vi.spyOn(performance, 'now').mockImplementation(() => (now += 5));
	let asked = 0;
	const lay = async (most: number): Promise<void> =>
		formatRest(
			file,
			() => notebookIn(file),
			rest,
			() => ++asked < most,
		);
	await lay(3);
	expect([asked, shown(file, change)?.sheet.index.complete]).toEqual([3, false]);
	await lay(Infinity);
	expect(asked).toBeGreaterThan(50);
	const whole = shown(file, change);
	expect([whole?.rest, whole?.sheet.index.complete]).toEqual([null, true]);
	expect(textOf(whole).startsWith(textOf(first))).toBe(true);
	expect(textOf(whole).match(/part = \d+/g)).toEqual(Array.from({length: cells}, (__, at) => `part = ${at}`));
});

test('a notebook that takes no longer than a frame is formatted whole at once', () => {
	const drawn = shown(notebookFile(30), {top: END});
	expect([drawn?.rest, drawn?.sheet.index.complete]).toEqual([null, true]);
	expect(textOf(drawn)).toContain('part = 29');
});

test('far down in a long notebook another width waits, and the formatted part stays meanwhile', async () => {
	const file = notebookFile(400);
	const wanted = () => true;
	const first = shown(file, {top: END});
	if (!first?.rest) throw new Error('nothing is waited for');
	await formatRest(file, () => notebookIn(file), first.rest, wanted);
	const whole = shown(file, {top: END});
	for (const width of [60, 100]) {
		const narrow = {height: ROOM.height + width, width};
		const before = shown(file, {top: END}, narrow);
		expect(before?.rest?.width).toBe(width);
		expect(before?.laid).toBe(whole?.laid);
		expect(before?.window.room).toBe(width - 1);
		// Keys that are pressed during formatting move within the part that is drawn.
		expect(shown(file, {top: {line: 9000, piece: 0, row: 0}}, narrow)?.laid).toBe(whole?.laid);
	}
	const last = {...ROOM, width: 15};
	const {rest} = shown(file, {top: END}, last) ?? {};
	if (!rest) throw new Error('nothing is waited for');
	await formatRest(file, () => notebookIn(file), rest, wanted);
	const after = shown(file, {top: END}, last);
	expect([after?.rest, after?.sheet.index.complete]).toEqual([null, true]);
	expect(after?.laid?.rows.length).toBeGreaterThan(whole?.laid?.rows.length ?? 0);
	expect(textOf(after).match(/^ *\[[ \d]*\]|^ *\d+ /gm)).toHaveLength(400);
});
