import {expect, test} from 'vitest';
import type {LeftCell} from '../../src/storage/run-log.ts';
import {readNotebook} from '../../src/text/notebook/notebook.ts';
import {placesOf} from '../../src/text/notebook/places.ts';
import {textOf} from '../support/open-notebook.ts';

const left = (number: number, cell: string | null, index: number, source: string): LeftCell => ({
	number,
	place: {cell, index},
	source,
	kernel: 'python3',
	at: 0,
	to: null,
});

test('outputs go to the cell of the same id, else to the nearest one of the same source, each to one', () => {
	const notebook = readNotebook(textOf('a', 'same', 'same', 'changed'));
	if (typeof notebook === 'string') throw new Error(notebook);
	const found = placesOf(
		[
			left(1, 'cell-3', 0, 'before the change'),
			left(2, 'gone', 2, 'same'),
			left(3, null, 2, 'same'),
			left(4, null, 1, 'same'),
			left(5, 'gone', 0, 'deleted'),
		],
		notebook,
	);
	const indexes = [...found].map(([number, key]) => [
		number,
		notebook.cells.findIndex(each => each.key === key),
	]);
	expect(indexes).toEqual([
		[1, 3],
		[2, 2],
		[3, 1],
	]);
});
