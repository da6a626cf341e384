/**
 * Prompt for a summary that replaces the earlier messages of a conversation. The built-in assistant
 * cannot summarise and recognises this prompt by its exact text.
 */
export const SUMMARY_REQUEST = `Sum up our conversation so far, for yourself: from now on you see this summary in its place.
Keep the goal, what was decided and why, names of files, functions and data, facts and numbers that were found, and what is open.
Leave out what turned out wrong. Answer with the summary alone, in Markdown.`;
