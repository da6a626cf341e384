import {expect, test} from 'vitest';
import {encodingError} from '../../src/contract/code-encoding.ts';
import {completeRequest, inputReply, parseMessage} from '../../src/kernel/messages.ts';

test('code with half of a character has the error of Python, by characters and lines', () => {
	expect(encodingError('x = "😀é"\n')).toBeNull();
	expect(encodingError('')).toBeNull();
	expect(encodingError('"😀"\n"\ud83d"')).toEqual({
		ename: 'UnicodeEncodeError',
		evalue:
			"'utf-8' codec can't encode character '\\ud83d' in position 5: surrogates not allowed (line 2; nothing was run)",
	});
	expect(encodingError('\udc80')?.evalue).toMatch(/'\\udc80' in position 0: .*line 1/);
});

test('half of a character elsewhere in a request does not end the connection', () => {
	const question = parseMessage('{"msg_type":"input_request","content":{"prompt":"?"}}')!;
	expect(inputReply('s', question, 'a\ud83d').text).toContain('"value":"a\ufffd"');
	expect(completeRequest('s', 'x\ud83d.', 3).text).toContain('"code":"x\ufffd."');
});
