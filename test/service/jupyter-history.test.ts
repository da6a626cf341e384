import {expect, test} from 'vitest';
import {createHistory} from '../../src/service/jupyter-emulator/history.ts';

const searched = (pattern: unknown, more: object = {}) => {
	const history = createHistory();
	for (const [at, code] of ['import os', 'x = 1', 'import os', 'y = [2]'].entries())
		history.add(at + 1, code);
	return history.answer({hist_access_type: 'search', pattern, n: 10, ...more});
};

test('earlier cells are found by a pattern, and each once where that is asked for', () => {
	expect(searched('import*')).toMatchObject({
		status: 'ok',
		history: [
			[0, 1, 'import os'],
			[0, 3, 'import os'],
		],
	});
	expect(searched('import*', {unique: true})).toMatchObject({history: [[0, 3, 'import os']]});
	expect(searched('?*[2]')).toMatchObject({history: [[0, 4, 'y = [2]']]});
	expect(searched(7)).toMatchObject({status: 'ok'});
});

test('a search with hundreds of stars is answered, and one longer than the limit is refused with it', () => {
	const history = createHistory();
	history.add(1, 'a'.repeat(100_000));
	const search = (pattern: string) => history.answer({hist_access_type: 'search', pattern});
	expect(search('*a'.repeat(120))).toMatchObject({status: 'ok', history: [[0, 1, expect.anything()]]});
	expect(search(`${'*a'.repeat(120)}*b`)).toStrictEqual({status: 'ok', history: []});
	expect(search('*a'.repeat(600))).toMatchObject({
		status: 'error',
		ename: 'ValueError',
		evalue: expect.stringMatching(/256 characters/),
	});
});
