import {expect, test} from 'vitest';
import {mentionOf, mentionsIn} from '../../../src/tui/assistant/attachments.ts';

test.each(['src/a.py', 'a.py', 'Makefile', 'error', 'cell:3', 'two words.py', 'notes.', 'a#b.py', 'é.txt'])(
	'the mention that is put into a question for the file %s leads to that file',
	path => {
		for (const lines of [{}, {from: 1, to: 20}]) {
			const attachment = {kind: 'file', path, ...lines} as const;
			const found = mentionsIn(`See ${mentionOf(attachment)} please.`);
			expect(found.map(each => each.attachment)).toEqual([attachment]);
		}
	},
);
