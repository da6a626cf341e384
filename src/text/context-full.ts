/**
 * Errors for a conversation that exceeds the context window: codes and messages of OpenAI, vLLM,
 * llama.cpp, Ollama, LM Studio, TGI, Anthropic, Google, Mistral, Cohere and Bedrock.
 */
const FULL: readonly RegExp[] = [
	/context_length_exceeded|exceed_context_size|string_above_max_length/,
	/context (?:length|window|size)\b.{0,80}\b(?:exceed|too (?:long|large|small)|not enough|overflow)/,
	/(?:exceed|longer than|larger than|too (?:long|large) for|overflow|beyond|more than).{0,60}\bcontext\b/,
	/maximum context length|maximum model length|max_model_len/,
	/context (?:is|was) full/,
	/(?:prompt|input|request|messages?) (?:is|are) too long/,
	/exceeded model token limit/,
	/(?:input|prompt) token count.{0,40}exceeds/,
	/tokens \+ .?max_new_tokens.? must be/,
	/too many (?:input |prompt )?tokens/,
	/reduce the length of (?:the|your) (?:messages|prompt|input)/,
];
/**
 * Rate limits and quotas. Their errors mention tokens too, but the conversation is not too long.
 */
const RATE = /per (?:minute|hour|day)|rate.?limit|quota|\b[TR]P[MD]\b/i;
const LIMIT =
	/(?:context (?:length|window|size)|model length|maximum|limit|only|<=|>)(?:\D{0,40}?)\b(\d{3,3}(?:,\d{3})+|\d{3,8})\b/i;

export const isContextFull = (said: string): boolean =>
	!RATE.test(said) && FULL.some(form => form.test(said.toLowerCase()));

/** Context window in tokens as stated in an error message, or null. */
export const contextLimitIn = (said: string): number | null => {
	const found = LIMIT.exec(said)?.[1];
	return found === undefined ? null : Number(found.replaceAll(',', ''));
};
