import {expect, test} from 'vitest';
import {keptEdits, makeEditCopy} from '../../src/state/edits.ts';
import {openKeeper} from '../../src/state/keeper.ts';
import {writeFileSync} from 'node:fs';
import {tempFolder} from '../support/temp-folder.ts';

test('a copy is offered to the next session as soon as its own has released it', () => {
	using temp = tempFolder();
	const keeper = openKeeper(temp.path, 'https://notebooks.example.com');
	const copy = makeEditCopy(keeper, {
		name: 'n.ipynb',
		text: 'before',
		isNew: false,
		about: {what: 'file', server: 's', path: 'n.ipynb'},
	});
	writeFileSync(copy.path, 'mine');
	expect(keptEdits(keeper, Date.now())).toEqual([]);
	copy.release();
	expect(keptEdits(keeper, Date.now()).map(edit => [edit.read(), edit.isLeft])).toEqual([['mine', false]]);
});
