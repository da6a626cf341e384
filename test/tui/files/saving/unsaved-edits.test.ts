import {expect, test} from 'vitest';
import {keptTitle} from '../../../../src/tui/files/saving/unsaved-edits-dialog.tsx';
import {type UnsavedEdit} from '../../../../src/tui/files/saving/unsaved-edits.ts';
import {unsavedEdits} from '../../../../src/tui/files/saving/unsaved-edits.ts';
import type {App} from '../../../../src/tui/core/app.ts';

const notebook = (source: string, ...outputs: readonly object[]): string =>
	JSON.stringify({
		cells: [{cell_type: 'code', execution_count: null, metadata: {}, outputs, source}],
		metadata: {},
		nbformat: 4,
		nbformat_minor: 4,
	});
const printed = {output_type: 'stream', name: 'stdout', text: 'x'};

/**
 * Notices at a start about unsaved edits, and the number of edits that count as mentioned
 * afterwards.
 */
const startsWith = async (
	edits: readonly {path: string; before: string | null; now: string; isMentioned?: boolean}[],
) => {
	const said: string[] = [];
	let mentioned = 0;
	const kept = edits.map(
		({path, before, now, isMentioned = false}) =>
			({
				about: {what: 'file', server: 'calm', path},
				before,
				isLeft: false,
				isMentioned,
				read: () => now,
				mention: () => mentioned++,
			}) as unknown as UnsavedEdit,
	);
	const app = {
		get: () => ({app}),
		set: () => {},
		deps: {keptEdits: async () => kept},
		parts: new Map([['notices', {notify: (_: string, words: string) => said.push(words)}]]),
	} as unknown as App;
	unsavedEdits.start(app);
	await unsavedEdits(app).lookForEdits();
	return {said, mentioned};
};

const outputs = {path: 'a.ipynb', before: notebook('x'), now: notebook('x', printed)};
const cells = {path: 'b.ipynb', before: notebook('x'), now: notebook('y')};
const text = {path: 'c.txt', before: 'x', now: 'y'};

test('outputs of a notebook that were not saved are mentioned once, and not as written in an editor', async () => {
	expect(await startsWith([outputs])).toEqual({
		said: ['Outputs of a.ipynb were not saved: :edits shows them'],
		mentioned: 1,
	});
	expect(await startsWith([{...outputs, isMentioned: true}])).toEqual({said: [], mentioned: 0});
});

test('changed cells and texts of an editor are mentioned at every start, each by its kind', async () => {
	for (const isMentioned of [false, true]) {
		expect(await startsWith([{...cells, isMentioned}])).toEqual({
			said: ['Edits of b.ipynb were not saved: :edits shows them'],
			mentioned: 0,
		});
		expect((await startsWith([{...text, isMentioned}])).said).toEqual([
			'Edits of c.txt in an editor were not saved: :edits shows them',
		]);
	}
	expect((await startsWith([text, {...text, path: 'd.txt'}])).said).toEqual([
		'2 texts that you wrote in an editor were not saved: :edits shows them',
	]);
	expect((await startsWith([text, outputs])).said).toEqual(['2 changes were not saved: :edits shows them']);
	expect((await startsWith([text, {...outputs, isMentioned: true}])).said).toEqual([
		'Edits of c.txt in an editor were not saved: :edits shows them',
	]);
	expect((await startsWith([{...cells, now: '{broken'}])).said).toHaveLength(1);
});

test('the list of unsaved edits has a matching title: texts of an editor, outputs, or changes', () => {
	const title = (...edits: readonly {path: string; before: string; now: string}[]): string =>
		keptTitle(
			edits.map(
				({path, before, now}) =>
					({about: {what: 'file', server: 'calm', path}, before, read: () => now}) as unknown as UnsavedEdit,
			),
		);
	expect(title(text)).toBe('Written in an editor and not saved');
	expect(title(outputs, outputs)).toBe('Outputs that were not saved');
	expect(title(cells)).toBe('Unsaved changes');
	expect(title(text, outputs)).toBe('Unsaved changes');
	expect(title({...outputs, now: '{broken'})).toBe('Unsaved changes');
});
