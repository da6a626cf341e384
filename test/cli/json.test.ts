import {expect, test} from 'vitest';
import {exactJson, safeJson} from '../../src/cli/json.ts';

test.each([
	'12345678901234567890',
	'{"id":12345678901234567890,"price":1.50,"list":[1e400,-0]}',
	'null',
	'"text"',
	'true',
])('%s stays what it is', text => expect(safeJson(exactJson(text))).toBe(text));

test('what is no JSON is none', () => expect(exactJson('{"a')).toBeUndefined());
