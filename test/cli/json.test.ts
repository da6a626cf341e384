import {expect, test} from 'vitest';
import {exactJson, safeJson} from '../../src/cli/json.ts';
import {keepWritten, parseExact} from '../../src/text/exact-json.ts';

test.each([
	'12345678901234567890',
	'{"id":12345678901234567890,"price":1.50,"list":[1e400,-0]}',
	'null',
	'"text"',
	'true',
])('%s stays unchanged', text => expect(safeJson(exactJson(text))).toBe(text));

test('invalid JSON is rejected', () => expect(exactJson('{"a')).toBeUndefined());

test('a value that is read, changed and printed keeps each number that it still has as it was written', () => {
	const text =
		'{"id":9007199254740993,"price":1.0,"tiny":1e-400,"deep":{"list":[{"n":0.10},-0]},"text":"1.0","plain":7}';
	const read = parseExact(text) as {readonly deep: object};
	expect(safeJson(read)).toBe(text);
	const {deep, ...rest} = read;
	expect(safeJson({...rest, deep, price: 2})).toBe(
		'{"id":9007199254740993,"price":2,"tiny":1e-400,"text":"1.0","plain":7,"deep":{"list":[{"n":0.10},-0]}}',
	);
	const made = {id: null, deep: {list: [{n: 0.1, more: 1}, -0]}};
	expect(safeJson(keepWritten(made, read))).toBe(
		'{"id":9007199254740993,"deep":{"list":[{"n":0.10,"more":1},-0]}}',
	);
});
