import {expect, test} from 'vitest';
import {contextLimitIn, isContextFull} from '../../src/text/context-full.ts';

test.each([
	[
		"This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens. Please reduce the length of the messages.",
		8192,
	],
	['context_length_exceeded', null],
	['Your input exceeds the context window of this model. Please adjust your input and try again.', null],
	[
		"This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (4500 in the messages, 500 in the completion).",
		4096,
	],
	['The decoder prompt (length 5000) is longer than the maximum model length of 4096.', 4096],
	['the request exceeds the available context size. try increasing the context size', null],
	['request (9012 tokens) exceeds the available context size (8192 tokens), try increasing it', 8192],
	['exceed_context_size_error', null],
	['the input length exceeds the context length', null],
	['Context size has been exceeded.', null],
	['Requested tokens (516) exceed context window of 512', 512],
	[
		"You passed 1015 input tokens and requested 10 output tokens. However, the model's context length is only 1024 tokens, resulting in a maximum input length of 1014 tokens. Please reduce the length of the input prompt.",
		1024,
	],
	['Invalid request: Your request exceeded model token limit: 8192', 8192],
	[
		'Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.',
		4096,
	],
	['prompt is too long: 210000 tokens > 200000 maximum', 200_000],
	['The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).', 1_048_576],
	['Prompt contains 40000 tokens, too large for model with 32768 maximum context length', null],
	['`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens', 4096],
	['too many tokens: total number of tokens in the prompt cannot exceed 4081', null],
	['Input is too long for requested model.', null],
])('%s', (said, limit) => {
	expect([isContextFull(said), contextLimitIn(said)]).toEqual([true, limit]);
});

test.each([
	'Request too large for model `x` on tokens per minute (TPM): Limit 6000, Requested 9000',
	'Rate limit reached: reduce the length of the messages',
	'You exceeded your current quota',
	'Unknown field: stream_options',
	'The model `context` does not exist',
	'Invalid value for temperature: must be less than 2',
	'boom',
	'',
])('is not a full context: %s', said => {
	expect(isContextFull(said)).toBe(false);
});
