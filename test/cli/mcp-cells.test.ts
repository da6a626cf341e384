import {afterAll, beforeAll, expect, test} from 'vitest';
import {openMcp, type McpClient} from '../support/mcp-client.ts';
import {newHome, type Home} from '../support/program.ts';
import {serve, type Served} from './support.ts';

let home: Home;
let served: Served;
beforeAll(async () => {
	home = await newHome();
	served = await serve(home);
	expect(await served.run(['server', 'start', 'welcome', '--wait'])).toMatchObject({code: 0});
});
afterAll(async () => {
	await served[Symbol.asyncDispose]();
	await home[Symbol.asyncDispose]();
});

/**
 * A notebook as another program might write it, with other indentation and another order of fields.
 */
const STRANGE = `{
    "nbformat": 4, "nbformat_minor": 5,
    "cells": [
        {"id": "a1", "cell_type": "markdown", "metadata": {"x":1.50}, "source": "# Title"},
        {
            "cell_type": "code", "id": "b2", "source": ["x = 1\\n", "x"], "metadata": {},
            "execution_count": 3,
            "outputs": [{"output_type": "stream", "name": "stdout", "text": ["printed\\n"]}]
        },
        {"cell_type": "code", "id": "c3", "source": "y = 2", "metadata": {}, "execution_count": null, "outputs": []}
    ],
    "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3"}, "custom": 1e2}
}
`;

const PATH = {server: 'welcome', path: 'a.ipynb'};
const put = async (text: string, path = PATH.path): Promise<void> => {
	const sent = await served.run(['files', 'put', 'welcome', '-', path], {input: text});
	expect(sent).toMatchObject({code: 0});
};
const got = async (path = PATH.path): Promise<string> =>
	(await served.run(['files', 'get', 'welcome', path])).stdout;
type Row = {
	readonly number: number;
	readonly id: string;
	readonly version: string;
	readonly first_line: string;
};
const rows = async (mcp: McpClient): Promise<readonly Row[]> =>
	(await mcp.call('list_cells', PATH)).value?.['cells'] as readonly Row[];

test('cells are listed and read without a permission, and a missing one is named', async () => {
	await put(STRANGE);
	await using mcp = await openMcp({home, env: served.env});
	expect((await mcp.call('list_cells', PATH)).value).toEqual({
		kernel: 'python3',
		language: null,
		total: 3,
		cells: [
			expect.objectContaining({number: 1, id: 'a1', kind: 'markdown', first_line: '# Title', output: null}),
			{
				number: 2,
				id: 'b2',
				kind: 'code',
				version: expect.stringMatching(/^[\da-f]{8}$/),
				first_line: 'x = 1',
				lines: 2,
				execution_count: 3,
				output: 'printed',
			},
			expect.objectContaining({number: 3, id: 'c3', lines: 1, execution_count: null}),
		],
	});
	expect((await mcp.call('list_cells', {...PATH, first: 3, limit: 1})).value).toMatchObject({
		total: 3,
		cells: [{number: 3}],
	});
	const read = await mcp.call('read_cell', {...PATH, cell: 'b2'});
	expect(read.text).toMatch(
		/^Cell 2 of 3, code \(id b2, version [\da-f]{8}, execution count 3\): its source and 1 output\.\nx = 1\nx\nprinted\n$/,
	);
	expect((await mcp.call('read_cell', {...PATH, cell: 2})).text).toBe(read.text);
	const wrong = [
		[{...PATH, cell: 9}, /^"a\.ipynb" has no cell 9\. It has 3 cells, counted from 1\.\nlist_cells lists/],
		[{...PATH, cell: 'zz'}, /^"a\.ipynb" has no cell with the id "zz"\. It may have been deleted\.\n/],
		[
			{...PATH, path: 'README.md', cell: 1},
			/^"README\.md" cannot be used as a notebook: it is not valid JSON/,
		],
		[{...PATH, path: 'none.ipynb', cell: 1}, /add_cell with create makes a notebook/],
	] as const;
	for (const [given, said] of wrong)
		expect(await mcp.call('read_cell', given)).toMatchObject({
			isError: true,
			text: expect.stringMatching(said),
		});
	expect(await mcp.call('add_cell', {...PATH, source: 'z'})).toMatchObject({
		isError: true,
		text: 'add_cell is not allowed: the user starts svc-tui mcp with --allow write.',
	});
	expect(await got()).toBe(STRANGE);
});

test('cells are added, changed, moved and deleted, and every other byte of the file stays', async () => {
	await put(STRANGE);
	await using mcp = await openMcp({home, env: served.env, args: ['--allow', 'write']});
	const edit = (given: object) => mcp.call('edit_cell', {...PATH, ...given});
	expect(await edit({cell: 'c3', old_text: '2', new_text: '$& 3'})).toMatchObject({
		isError: false,
		text: expect.stringMatching(/^Cell 3 was changed in "a\.ipynb" \(id c3\); its version is [\da-f]{8}\.$/),
	});
	expect(await got()).toBe(STRANGE.replace('"y = 2"', '"y = $$& 3"'));
	await put(STRANGE);

	const [, second] = await rows(mcp);
	expect(await edit({cell: 'b2', source: 'new'})).toMatchObject({
		isError: true,
		text: expect.stringContaining('needs the version of the cell'),
	});
	expect(await edit({cell: 'b2', source: 'x = 5\nx', version: second?.version})).toMatchObject({
		isError: false,
	});
	const lines = '[\n                "x = 5\\n",\n                "x"\n            ]';
	expect(await got()).toBe(STRANGE.replace('["x = 1\\n", "x"]', lines));
	// The cell changes after its version was read.
	const before = await got();
	for (const [tool, given] of [
		['edit_cell', {cell: 'b2', source: 'lost', version: second?.version}],
		['delete_cell', {cell: 2, version: second?.version}],
	] as const)
		expect(await mcp.call(tool, {...PATH, ...given})).toMatchObject({
			isError: true,
			text: expect.stringMatching(
				/^Cell 2 of "a\.ipynb" is not the one with version .*\nIts version is now /,
			),
		});
	expect(await edit({cell: 'b2', old_text: 'x', new_text: 'q'})).toMatchObject({
		isError: true,
		text: expect.stringMatching(/^old_text occurs in cell 2 2 times\.\n/),
	});
	expect(await got()).toBe(before);

	await put(STRANGE);
	expect(await mcp.call('add_cell', {...PATH, source: 'top', kind: 'markdown', after: 0})).toMatchObject({
		text: expect.stringMatching(/^Cell 1 was added in "a\.ipynb" \(id [a-z\d]{8}\)/),
	});
	expect((await mcp.call('add_cell', {...PATH, source: 'last'})).text).toMatch(/^Cell 5 was added/);
	expect((await mcp.call('add_cell', {...PATH, source: 'mid', after: 'a1'})).text).toMatch(/^Cell 3 was/);
	expect((await rows(mcp)).map(({first_line: line}) => line)).toEqual([
		'top',
		'# Title',
		'mid',
		'x = 1',
		'y = 2',
		'last',
	]);
	expect((await mcp.call('move_cell', {...PATH, cell: 'a1', to: 99})).text).toMatch(/^Cell 6 is now in/);
	expect((await mcp.call('move_cell', {...PATH, cell: 'a1', to: 2})).text).toMatch(/^Cell 2 is now in/);
	for (const line of ['top', 'mid', 'last']) {
		const {number, version} = (await rows(mcp)).find(row => row.first_line === line)!;
		expect(await mcp.call('delete_cell', {...PATH, cell: number, version})).toMatchObject({isError: false});
	}
	expect(JSON.parse(await got())).toEqual(JSON.parse(STRANGE));
	expect(await got()).toContain('"metadata": {"x":1.50}');
	expect(await got()).toContain('"custom": 1e2');
	const [first] = await rows(mcp);
	expect(await edit({cell: 1, version: first?.version, kind: 'code', source: '1+1'})).toMatchObject({
		isError: false,
	});
	expect((await mcp.call('read_cell', {...PATH, cell: 1})).text).toMatch(/^Cell 1 of 3, code .*\n1\+1$/);
});

test('a notebook is created once, and a change by another program is not overwritten', async () => {
	await using mcp = await openMcp({home, env: served.env, args: ['--allow', 'write']});
	const add = {server: 'welcome', path: 'deep/new.ipynb', source: 'print(1)', create: true};
	expect(await mcp.call('add_cell', add)).toMatchObject({isError: false});
	expect(JSON.parse(await got(add.path))).toMatchObject({
		cells: [{cell_type: 'code', source: ['print(1)']}],
		metadata: {kernelspec: {name: 'python3'}},
	});
	expect(await mcp.call('add_cell', add)).toMatchObject({
		isError: true,
		text: '"deep/new.ipynb" already exists.\nLeave out create. Nothing was changed.',
	});
	await put(STRANGE);
	const adds = ['one', 'two', 'three'].map(source => mcp.call('add_cell', {...PATH, source}));
	for (const done of await Promise.all(adds)) expect(done).toMatchObject({isError: false});
	expect((await rows(mcp)).map(({first_line: line}) => line).toSorted()).toEqual(
		['# Title', 'one', 'three', 'two', 'x = 1', 'y = 2'].toSorted(),
	);
});
