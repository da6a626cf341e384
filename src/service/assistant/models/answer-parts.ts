// Schemas of a model server's response: OpenAI's chat completions, and the variants of other
// servers.
import * as z from 'zod';

const part = z.union([
	z.string(),
	z.looseObject({
		type: z.string().nullish(),
		text: z.string().nullish(),
		// Mistral's reasoning, which is a list of texts or one text.
		thinking: z.union([z.string(), z.array(z.looseObject({text: z.string().nullish()}))]).nullish(),
	}),
]);
const call = z.looseObject({function: z.looseObject({name: z.string().nullish()}).nullish()});
const message = z.looseObject({
	content: z.union([z.string(), z.array(part), part]).nullish(),
	reasoning_content: z.string().nullish(),
	reasoning: z.string().nullish(),
	refusal: z.string().nullish(),
	tool_calls: z.array(call).nullish(),
	function_call: z.looseObject({name: z.string().nullish()}).nullish(),
});
// Null for an invalid count, because the answer itself is still usable.
const count = z.number().nullish().catch(null);

/**
 * Chunk of a stream, or a complete response. Its choices have a `delta` or a `message`,
 * respectively.
 */
export const chunk = z.looseObject({
	choices: z
		.array(
			z.looseObject({
				delta: message.nullish(),
				message: message.nullish(),
				// Servers with the older completions API send `text` instead of a message.
				text: z.string().nullish().catch(null),
				finish_reason: z.string().nullish(),
			}),
		)
		.nullish(),
	usage: z.looseObject({prompt_tokens: count, completion_tokens: count}).nullish().catch(null),
	error: z.unknown().optional(),
	object: z.unknown().optional(),
});

/**
 * Content of a choice. `tool`: name of a called tool, empty if the call has no name, null if there
 * is no call. `other`: type of a part that is not text, or null.
 */
export type Said = {
	readonly text: string;
	readonly thought: string;
	readonly tool: string | null;
	readonly other: string | null;
};

export const saidIn = (choice: NonNullable<z.output<typeof chunk>['choices']>[number] | undefined): Said => {
	const said: z.output<typeof message> = choice?.delta ?? choice?.message ?? {content: choice?.text};
	const {content, reasoning_content, reasoning, refusal, tool_calls, function_call} = said;
	const parts = Array.isArray(content) ? content : [content ?? ''];
	const texts: string[] = [];
	const thoughts = [reasoning_content || reasoning || ''];
	let other: string | null = null;
	for (const each of parts) {
		if (typeof each === 'string') texts.push(each);
		else if (each.thinking != null)
			thoughts.push(
				...(typeof each.thinking === 'string' ? [each.thinking] : each.thinking.map(({text}) => text ?? '')),
			);
		else if (each.text != null) texts.push(each.text);
		else other ??= each.type ?? 'unknown';
	}
	const [called] = tool_calls ?? [];
	return {
		text: texts.join('') + (refusal ?? ''),
		thought: thoughts.join(''),
		tool: called ? (called.function?.name ?? '') : function_call ? (function_call.name ?? '') : null,
		other,
	};
};
