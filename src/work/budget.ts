/** Limits of a task. Seconds count answers and steps, but not the wait for the user. */
export type Limits = {readonly steps: number; readonly seconds: number; readonly tokens: number};
/** Use so far. Tokens are estimated, because services need not count them. */
export type Spent = {readonly steps: number; readonly seconds: number; readonly tokens: number};

export const LIMITS: Limits = {steps: 40, seconds: 1800, tokens: 500_000};
export const NOTHING_SPENT: Spent = {steps: 0, seconds: 0, tokens: 0};

/** A token is about four letters of English. */
export const estimatedTokens = (text: string): number => Math.ceil(text.length / 4);

/** The first limit reached, or null. */
export const limitReached = (spent: Spent, limits: Limits): keyof Limits | null =>
	(['steps', 'seconds', 'tokens'] as const).find(each => spent[each] >= limits[each]) ?? null;

/** Text such as `12 of 40 steps · 3 min of 30 min · about 12,000 of 500,000 tokens (estimated)`. */
export const budgetText = (spent: Spent, limits: Limits): string => {
	const count = (value: number): string => Math.round(value).toLocaleString('en');
	const span = (seconds: number): string =>
		seconds < 120 ? `${count(seconds)} s` : `${count(seconds / 60)} min`;
	const time = `${span(spent.seconds)} of ${span(limits.seconds)}`;
	return `${count(spent.steps)} of ${count(limits.steps)} steps · ${time} · about ${count(spent.tokens)} of ${count(limits.tokens)} tokens (estimated)`;
};
