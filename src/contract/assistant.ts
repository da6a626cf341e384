import * as z from 'zod';
import {keepWritten} from '../text/exact-json.ts';
import {isRecord} from '../text/record.ts';
import {lenient, lenientCount} from './lenient.ts';

export const message = z.object({role: z.string(), content: z.string()});
/** `role` is `user` for a question and `assistant` for an earlier answer. */
export type Message = z.infer<typeof message>;

export const chatRequest = z.object({messages: z.array(message).min(1)});

// The endpoint has no `response`, because its response is a text stream (stream.ts).
export const chat = {method: 'POST', path: '/assistant/{server_name}/{model}', body: chatRequest} as const;

export const usage = z.looseObject({promptTokens: lenientCount, completionTokens: lenientCount});
/** Token counts. Null if unknown. */
export type Usage = z.infer<typeof usage>;

const usageOf = (value: unknown): Usage | null =>
	isRecord(value) && Object.keys(value).length > 0 ? keepWritten(usage.parse(value), value) : null;

/**
 * Payload of the `e` and `d` lines. The finish reason is read even if the token counts are
 * unreadable.
 */
export const finish = z
	.looseObject({finishReason: z.unknown(), usage: lenient(usageOf)})
	.transform(({finishReason, usage}) => ({
		finishReason:
			typeof finishReason === 'string' || typeof finishReason === 'number' ? String(finishReason) : null,
		usage,
	}))
	.refine(({finishReason, usage}) => finishReason !== null || usage !== null);
export const start = z.looseObject({messageId: z.string()});
