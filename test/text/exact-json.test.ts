import fc from 'fast-check';
import {expect, test} from 'vitest';
import {keepWritten, parseExact} from '../../src/text/exact-json.ts';
import {readNotebook, type Output} from '../../src/text/notebook/notebook.ts';
import {withOutputs} from '../../src/text/notebook/edit.ts';
import {notebookText} from '../../src/text/notebook/serialize.ts';
import {createOutputBuffer} from '../../src/kernel/output-buffer.ts';
import {collectMessage, parseMessage} from '../../src/kernel/messages.ts';
import {executedCell} from '../../src/contract/cells.ts';

const AS_PYTHON =
	'{"big":804184974949614240,"b":1.0,"2":-0,"1":[1e400,-0.0,1.50,1e-07,{"x":100000000000000000000000}],"s":"1.0 \\"\\\\","e":{},"l":[],"n":null,"t":true,"f":false}';

test('a text that is nested too deep to keep its numbers is read all the same', () => {
	const deep = `${'['.repeat(50_000)}1.0${']'.repeat(50_000)}`;
	expect(parseExact(`{"deep": ${deep}, "a": 1.0}`)).toMatchObject({a: 1});
});

test('a text with the names of every object changes no other object', () => {
	const original = parseExact('{"__proto__": {"__proto__": 1.0, "constructor": {"name": 1.0}}, "a": 1.0}');
	keepWritten({a: 1}, original);
	expect(Object.getOwnPropertySymbols(Object.prototype)).toEqual([]);
});

test('numbers and the order of keys are written as they came, and read as numbers', () => {
	const read = parseExact(AS_PYTHON) as {readonly b: unknown; readonly 1: readonly unknown[]};
	expect(JSON.stringify(read)).toBe(AS_PYTHON);
	expect(
		JSON.stringify({...{kept: read}}, null, 1)
			.replaceAll(/\n */g, '')
			.replaceAll('": ', '":'),
	).toBe(`{"kept":${AS_PYTHON}}`);
	expect(read.b).toBe(1);
	expect(read[1][0]).toBe(Infinity);
	// A copy contains the fields, but not the stored source text.
	expect(structuredClone(read)).toEqual(JSON.parse(AS_PYTHON));
});

test('the last value of a duplicated key stays; a field named toJSON or __proto__ is an ordinary field', () => {
	expect(JSON.stringify(parseExact('{"a":1.0,"b":2,"a":3}'))).toBe('{"a":3,"b":2}');
	expect(JSON.stringify(parseExact('{"a":1,"a":3.0}'))).toBe('{"a":3.0}');
	expect(JSON.stringify(parseExact('{"a":{"x":1.0},"a":[2.0]}'))).toBe('{"a":[2.0]}');
	expect(JSON.stringify(parseExact('{"a":{"x":1.0},"a":{"x":1}}'))).toBe('{"a":{"x":1}}');
	expect(JSON.stringify(parseExact('{"toJSON":1.0}'))).toBe('{"toJSON":1}');
	expect(JSON.stringify(parseExact('{"__proto__":1.0,"c":2.0}'))).toBe('{"__proto__":1.0,"c":2.0}');
});

test('any JSON is written as it was read, with any spaces between', () => {
	const number = fc.oneof(
		fc.bigInt().map(String),
		fc.double({noNaN: true, noDefaultInfinity: true}).map(value => `${value}`.replace('e+', 'e')),
		fc.constantFrom('1.0', '-0', '0.10', '1E5', '2e+3', '123456789012345678.5'),
	);
	const {json} = fc.letrec<{json: string}>(tie => ({
		json: fc.oneof(
			{maxDepth: 4},
			number,
			fc.string().map(text => JSON.stringify(text)),
			fc.constantFrom('true', 'false', 'null'),
			fc.array(tie('json'), {maxLength: 4}).map(items => `[${items.join(',')}]`),
			fc
				.uniqueArray(fc.tuple(fc.oneof(fc.string(), fc.nat(9).map(String)), tie('json')), {
					maxLength: 4,
					selector: ([name]) => name,
				})
				.filter(fields => fields.every(([name]) => name !== 'toJSON'))
				.map(fields => `{${fields.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`),
		),
	}));
	fc.assert(
		fc.property(json, text => {
			expect(JSON.stringify(parseExact(`[${text}]`))).toBe(`[${text}]`);
			expect(JSON.stringify(parseExact(` [ ${text}\n]\t`))).toBe(`[${text}]`);
		}),
	);
});

test.for([1, null])(
	'an output is saved in a notebook with its numbers as the kernel sent them, %s',
	indent => {
		const data = `{"application/json":${AS_PYTHON},"text/plain":"x"}`;
		const buffer = createOutputBuffer();
		const message = (type: string, content: string) =>
			parseMessage(
				`{"header":{"msg_id":"m","msg_type":"${type}","session":"s"},"parent_header":{},"metadata":{},"content":${content}}`,
			)!;
		collectMessage(buffer, message('display_data', `{"data":${data},"metadata":{"a":{"width":640.0}}}`));
		collectMessage(
			buffer,
			message('execute_result', '{"data":{"application/json":1e400},"metadata":{},"execution_count":1}'),
		);
		// The service serializes the outputs, and the client parses them.
		const sent = JSON.stringify({outputs: buffer.look()});
		const {outputs} = executedCell.parse(parseExact(sent));
		const bare = {cells: [{cell_type: 'code', source: ''}], metadata: {}, nbformat: 4, nbformat_minor: 4};
		const read = readNotebook(JSON.stringify(bare, null, indent ?? undefined));
		if (typeof read === 'string') throw new Error(read);
		for (const each of [outputs, buffer.look()]) {
			const saved = notebookText(withOutputs(read, read.cells[0]!.key, each as readonly Output[], 1));
			const text = saved.replaceAll(/\n\s*/g, '').replaceAll(/(": )/g, '":').replaceAll(', ', ',');
			expect(text).toContain(AS_PYTHON);
			expect(text).toContain('{"application/json":1e400}');
			expect(text).toContain('"width":640.0');
		}
	},
);
