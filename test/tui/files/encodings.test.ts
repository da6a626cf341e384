import {expect, test} from 'vitest';
import type {FileEntry} from '../../../src/contract/files.ts';
import {encodeContent} from '../../../src/engines/folder-content.ts';
import {decodedFile, encodingOf, isText} from '../../../src/tui/files/content.ts';
import {kindOf} from '../../../src/tui/files/viewer/format-file.ts';

/** A file as the service sends it. */
const fileOf = (path: string, bytes: Buffer, mimetype: string | null = null): FileEntry => ({
	name: path,
	path,
	type: 'file',
	mimetype,
	size: bytes.length,
	...encodeContent(bytes),
});
const utf16 = (text: string, isBig = false): Buffer =>
	isBig ? Buffer.from(text, 'utf16le').swap16() : Buffer.from(text, 'utf16le');

const CSV = 'name,city\nJosé,Málaga\n';

test.each<[what: string, file: FileEntry, encoding: string, text: string]>([
	['UTF-16 with its mark', fileOf('a.csv', utf16(`\uFEFF${CSV}`)), 'UTF-16', CSV],
	['UTF-16 with its mark, the other way round', fileOf('a.csv', utf16(`\uFEFF${CSV}`, true)), 'UTF-16', CSV],
	['UTF-16 without a mark', fileOf('a.csv', utf16(CSV)), 'UTF-16', CSV],
	[
		'UTF-16 of ASCII without a mark, which is UTF-8 too',
		fileOf('a.csv', utf16('a\tb\n')),
		'UTF-16',
		'a\tb\n',
	],
	['the same the other way round', fileOf('a.txt', utf16('a\tb\n', true)), 'UTF-16', 'a\tb\n'],
	[
		'UTF-16 with a byte too many',
		fileOf('a.csv', Buffer.concat([utf16('\uFEFFa,b\n'), Buffer.from('\n')])),
		'damaged UTF-16',
		'a,b\n\uFFFD',
	],
	['Latin-1', fileOf('a.csv', Buffer.from(CSV, 'latin1')), 'Latin-1', CSV],
	['what Windows adds to it', fileOf('a.txt', Buffer.from([0x80, 0x20, 0x39])), 'Windows-1252', '€ 9'],
	[
		'Latin-1 by its media type',
		fileOf('LIESMICH', Buffer.from('für', 'latin1'), 'text/plain'),
		'Latin-1',
		'für',
	],
	['JSON in UTF-16', fileOf('a.json', utf16('\uFEFF{"a": 1}')), 'UTF-16', '{"a": 1}'],
	['a notebook in Latin-1', fileOf('a.ipynb', Buffer.from('{"é": 1}', 'latin1')), 'Latin-1', '{"é": 1}'],
	[
		'UTF-8 with one broken character',
		fileOf('a.log', Buffer.concat([Buffer.from('é漢字 '), Buffer.from([0xff])])),
		'damaged UTF-8',
		'é漢字 \uFFFD',
	],
])('a text in another encoding is shown, and not written: %s', (_, file, encoding, text) => {
	const shown = decodedFile(file);
	expect([encodingOf(file), encodingOf(shown)]).toEqual([encoding, encoding]);
	expect([shown.content, shown.format]).toEqual([text, 'text']);
	expect([isText(file), isText(shown)]).toEqual([false, false]);
	expect(['table', 'text', 'json', 'notebook']).toContain(kindOf(shown));
});

test.each<[what: string, file: FileEntry]>([
	['bytes of another kind', fileOf('a.bin', Buffer.from([0xff, 0xfe, 1, 2]))],
	['a picture', fileOf('a.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1]))],
	['bytes under the name of a text', fileOf('a.csv', Buffer.from([0x1f, 0x8b, 8, 0, 0xff, 3]))],
	['UTF-32', fileOf('a.csv', Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0]))],
])('binary content stays bytes: %s', (_, file) => {
	expect([decodedFile(file), encodingOf(file), isText(file)]).toEqual([file, null, false]);
});

test('UTF-8 is shown and written as it is, with its mark or without', () => {
	for (const text of [CSV, `\uFEFF${CSV}`, '']) {
		const file = fileOf('a.csv', Buffer.from(text));
		expect([decodedFile(file), encodingOf(file), isText(file)]).toEqual([file, null, true]);
	}
});
