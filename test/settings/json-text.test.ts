import fc from 'fast-check';
import {expect, test} from 'vitest';
import {lineOf, readJson, withValue} from '../../src/settings/json-text.ts';

const TEXT = `{
	// which one is used
	"profile": "work", /* or
	another */
	"profiles": {
		"work": {
			"baseUrl": "https://one.example//not-a-comment",
			"readOnly": true, // to look only
		},
	},
}
`;
const read = (text: string): unknown => {
	const found = readJson(text);
	expect(found).toHaveProperty('value');
	return 'value' in found ? found.value : undefined;
};

test('comments and a comma after the last item are accepted, and an address is not a comment', () => {
	expect(read(TEXT)).toEqual({
		profile: 'work',
		profiles: {work: {baseUrl: 'https://one.example//not-a-comment', readOnly: true}},
	});
	expect(readJson(TEXT, {isStrict: true})).toEqual({faultLine: 2});
});

test.each([
	[['profile'], 3],
	[['profiles', 'work', 'readOnly'], 8],
	[['profiles', 'work', 'colour'], 6],
	[['nothing'], 1],
] as const)('the line of %j is %i', (path, line) => {
	expect(lineOf(TEXT, [...path])).toBe(line);
});

test.each([
	['{\n"a": 1\n"b": 2\n}', 3],
	['{\n"a": [1,\n', 2],
	['{"a": "never\nclosed"}', 1],
	['{"a": 1}\n{}', 2],
	['{\n"a": nothing}', 2],
	['', 1],
] as const)('%j stops being JSON in line %i', (text, faultLine) => {
	expect(readJson(text)).toEqual({faultLine});
});

test('a byte order mark is not part of the value, and stays', () => {
	expect(read('\uFEFF{"a": 1}')).toEqual({a: 1});
	expect(withValue('\uFEFF{"a": 1}', ['a'], 2)).toBe('\uFEFF{"a": 2}');
	expect(read(withValue('\uFEFF{"a": 1}', ['b', 'c'], 2))).toEqual({a: 1, b: {c: 2}});
});

test('a value is changed or added, and the comments stay', () => {
	const changed = withValue(
		withValue(TEXT, ['profiles', 'work', 'baseUrl'], 'https://two.example'),
		['profiles', 'home', 'baseUrl'],
		'https://home.example',
	);
	expect(read(changed)).toEqual({
		profile: 'work',
		profiles: {
			home: {baseUrl: 'https://home.example'},
			work: {baseUrl: 'https://two.example', readOnly: true},
		},
	});
	for (const comment of ['// which one is used', '/* or\n\tanother */', '// to look only'])
		expect(changed).toContain(comment);
});

test('with any settings, an inserted value is read back and nothing else changes', () => {
	const name = fc.string().filter(each => each !== '__proto__');
	const settings = fc.record(
		{
			theme: fc.string(),
			profiles: fc.dictionary(name, fc.dictionary(name, fc.oneof(fc.string(), fc.boolean(), fc.integer()))),
		},
		{requiredKeys: []},
	);
	fc.assert(
		fc.property(settings, name, name, fc.boolean(), (before, profile, field, indented) => {
			const text = JSON.stringify(before, null, indented ? '\t' : undefined);
			const after = {
				...before,
				profiles: {...before.profiles, [profile]: {...before.profiles?.[profile], [field]: 'new'}},
			};
			expect(read(withValue(text, ['profiles', profile, field], 'new'))).toEqual(after);
		}),
	);
});
