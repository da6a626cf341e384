import {expect, test} from 'vitest';
import {createClient} from '../../src/api/client.ts';
import {askingModel} from '../../src/work/ask-model.ts';
import {streaming} from '../support/peer.ts';

const asked = async (...lines: readonly string[]) => {
	await using peer = await streaming(lines.map(line => `${line}\n`));
	const client = createClient({baseUrl: peer.url, apiKey: 'k'});
	return await askingModel(
		client,
		's',
		'model_2',
	)([{role: 'user', content: 'go'}], new AbortController().signal);
};

test('a task takes an answer that was cut, filtered or failed for no whole one', async () => {
	for (const reason of ['length', 'max_tokens', 'content-filter', 'error'])
		expect(await asked('0:"half"', `d:{"finishReason":"${reason}"}`), reason).toEqual({
			content: 'half',
			complete: false,
		});
	expect(await asked('0:"all"', 'd:{"finishReason":"stop","usage":{}}')).toEqual({
		content: 'all',
		complete: true,
	});
});

test('a task whose model calls tools of the service instead of writing reports that', async () => {
	expect(
		await asked('f:{"messageId":"m"}', '9:{"toolCallId":"t"}', 'd:{"finishReason":"tool-calls"}'),
	).toEqual({says: 'The model gave no text. Not in the text: 1 line of kind 9 (tool call).'});
});
