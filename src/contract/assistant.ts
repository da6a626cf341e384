import * as z from 'zod';

export const message = z.object({role: z.string(), content: z.string()});
/** `role` is `user` for a question and `assistant` for an earlier answer. */
export type Message = z.infer<typeof message>;

export const chatRequest = z.object({messages: z.array(message).min(1)});

/** Answered with a text stream (see stream.ts), so it has no JSON response shape. */
export const chat = {method: 'POST', path: '/assistant/{server_name}/{model}', body: chatRequest} as const;

// Some services send null for a count they do not know (the AI SDK serialises NaN so).
const count = z.number().nullable();
export const usage = z.looseObject({promptTokens: count, completionTokens: count});
/** Tokens. */
export type Usage = z.infer<typeof usage>;

/** Payload of the `e` and `d` lines. */
export const finish = z.looseObject({
	finishReason: z.string(),
	usage: usage.nullish(),
	isContinued: z.boolean().nullish(),
});
export const start = z.looseObject({messageId: z.string()});
