import type {Exchange} from './exchange.ts';

const question = (model: string, lines: readonly string[]): Exchange => ({
	section: '4.9',
	method: 'POST',
	path: `/api/assistant/welcome/${model}`,
	body: {messages: [{content: 'What can you do?', role: 'user'}]},
	status: 200,
	answer: {lines},
});

const bare = ['0:"I can read"', '0:" your files.\\n"', '0:"Ask me: \\"why?\\""'];

const framed = [
	'f:{"messageId":"msg-1"}',
	...bare,
	'e:{"finishReason":"stop","usage":{"promptTokens":12,"completionTokens":9},"isContinued":false}',
	'd:{"finishReason":"stop","usage":{"promptTokens":12,"completionTokens":9}}',
];

/** The answer in all five streams. */
export const answer = 'I can read your files.\nAsk me: "why?"';

/** Streams of each model. Those of `<model_1>` and `<model_4>` contain only `0` lines. */
export const chats: readonly Exchange[] = [
	question('model_1', bare),
	question('model_2', framed),
	question('model_3', framed),
	question('model_4', bare),
	question('model_5', framed),
];
