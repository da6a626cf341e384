// Texts that take long with a backtracking regular expression: if 100,000 characters take a second,
// a million take minutes. The tests measure no time, but a slow case exceeds the time limit of the
// test.
import {describe, expect, test} from 'vitest';
import {bytesOf} from '../../src/api/file-bytes.ts';
import {createRedactor} from '../../src/api/redact.ts';
import {typedPath} from '../../src/contract/paths.ts';
import {describeCsv} from '../../src/service/assistant/csv-answer.ts';
import {parsePydoc} from '../../src/service/assistant/pydoc-text.ts';
import {withoutEnd, withoutEnds} from '../../src/text/ends.ts';
import {headingIn} from '../../src/text/markdown/heading.ts';
import {readHtml} from '../../src/text/output/html-text.ts';
import {languageNamed} from '../../src/text/python/code-language.ts';
import {foldTraceback} from '../../src/text/python/traceback-fold.ts';
import {exactOrder} from '../../src/text/table/values.ts';
import {maskSecrets} from '../../src/text/token.ts';
import {commandIn} from '../../src/tui/assistant/commands.ts';
import {mentionsIn} from '../../src/tui/assistant/attachments.ts';
import {onOneLine} from '../../src/tui/core/components/line-field.ts';
import {parseLine} from '../../src/tui/core/dialogs/line-commands.ts';
import {dedented} from '../../src/tui/files/viewer-keys.ts';
import {narrowTraceback, tracebackLine} from '../../src/tui/cells/rows/traceback-line.ts';

const LONG = 400_000;
const many = (text: string): string => text.repeat(LONG / text.length);

describe('a text made to be slow is read as fast as another', () => {
	const file = {name: 'a', path: 'a', type: 'file', format: 'base64'} as const;
	test.each<readonly [what: string, read: () => unknown]>([
		['the content of a binary file', () => bytesOf({...file, content: `${many('\t')}\0`})],
		['a path', () => typedPath(`a${many('/')}a`)],
		['a refusal with a key that is a word', () => createRedactor('ready').redact(`key${many(' ')}x`)],
		['a refusal with the word token', () => maskSecrets(many('token+'))],
		['a refusal with blanks behind the word token', () => maskSecrets(`token${many('\t')}!`)],
		['what begins like a JSON web token', () => maskSecrets(many('eyJ000000000000-'))],
		['a number of a table', () => exactOrder(`1${many('0')}1`, `1${many('0')}2`)],
		['a number in a CSV file', () => describeCsv('a.csv', `a,b\n${many('0')}x,1\n`, LONG)],
		['a page of pydoc', () => parsePydoc(`Help on class A in a:\n\nclass A\n |  ${many(') -> ')}\n`)],
		['blanks at a line of pydoc', () => parsePydoc(`Help on function f in a:\n\nf${many('\t')}x`)],
		['a line of markdown like a heading', () => headingIn(`# ${many(' ')}x`)],
		['blanks in HTML', () => readHtml(`<p>a${many('\t')}b</p>`)],
		['the language of a code block', () => languageNamed(`${many(',')}\u2028`)],
		['a line of a traceback', () => tracebackLine(`  File "a", line ${many('0')}\u2028`, 80)],
		...[
			'File "',
			' |',
			'File a:1',
			'Cell In [',
			'/a.py in f',
			':1',
			'----> 1 ',
			'\n\n',
			'File "a", line 1\n',
		].map(piece => [`a traceback of ${JSON.stringify(piece)}`, () => foldTraceback(many(piece))] as const),
		['blanks in a traceback', () => narrowTraceback(`a${many(' ')}b`, 60)],
		['a command of the assistant', () => commandIn(`/export ${many('\t')}\n${many('\t')}a`)],
		['a mention of a file', () => mentionsIn(`@a${many('!')}a`)],
		['what is pasted into a field', () => onOneLine(`a${many('\t')}b`)],
		['what is typed behind a colon', () => parseLine(`:go ${many('\t')}a`)],
		['lines to be run', () => dedented(`a${many('\n')}a`)],
	])('%s', (_, read) => {
		expect(() => read()).not.toThrow();
	});
});

describe('ends of a text', () => {
	test('are taken off on the sides that are asked for', () => {
		expect(withoutEnd('//a//', '/')).toBe('//a');
		expect(withoutEnd('////', '/')).toBe('');
		expect(withoutEnds('--a-b--', '-')).toBe('a-b');
		expect(withoutEnds(' \t', ' \t')).toBe('');
		expect(withoutEnds('', ' ')).toBe('');
	});
	test('a heading loses its marks, not a # of its text', () => {
		expect(headingIn('## A b ##  ')).toStrictEqual({depth: 2, text: 'A b'});
		expect(headingIn('# C#')).toStrictEqual({depth: 1, text: 'C#'});
		expect(headingIn('#')).toStrictEqual({depth: 1, text: ''});
		expect(headingIn('#a')).toBeNull();
		expect(headingIn('####### a')).toBeNull();
	});
	test('a pasted text has a space for its line ends and the blanks around them', () => {
		expect(onOneLine(' a  b \r\n\n  c ')).toBe(' a  b c ');
	});
});
