/** What a model is asked when a conversation is folded: its answer stands for all that was said before. The built-in assistant, which cannot do it, knows it by its letters. */
export const SUMMARY_REQUEST = `Sum up our conversation so far, for yourself: from now on you see this summary in its place.
Keep the goal, what was decided and why, names of files, functions and data, facts and numbers that were found, and what is open.
Leave out what turned out wrong. Answer with the summary alone, in Markdown.`;
