import * as z from 'zod';

export type Question = 'pydoc' | 'packages' | 'outline';

/** Python process that runs `lookup.py` and only answers look-ups. */
export type LookupProcess = {
	/** @returns JSON text. @throws {Error} if the process ends first. */
	ask(question: Question, argument: string): Promise<string>;
	readonly exited: Promise<unknown>;
	kill(): Promise<void>;
};

const IDLE_LIMIT_MS = 60_000;
const ANSWER_LIMIT_MS = 10_000;

const documentation = z.string().nullable();
const packageList = z.object({
	python: z.string(),
	installed: z.array(z.object({name: z.string(), version: z.string()})),
});
/** `line` counts from 1. `doc` is the first paragraph of the docstring, or empty. */
const outlineItem = z.object({
	kind: z.enum(['class', 'function']),
	name: z.string(),
	signature: z.string(),
	line: z.int(),
	doc: z.string(),
});
export type OutlineItem = z.infer<typeof outlineItem>;
const sourceOutline = z.object({
	items: z.array(outlineItem),
	imports: z.array(z.string()),
	error: z.string().nullable(),
});

/**
 * Look-ups in a separate process, which starts on demand and ends after a minute without look-ups.
 */
export const createLookup = (start: (signal: AbortSignal) => Promise<LookupProcess>) => {
	let current: Promise<LookupProcess> | null = null;
	let life = new AbortController();
	let idle: NodeJS.Timeout | undefined;
	let waiting = 0;

	const stop = async (): Promise<void> => {
		clearTimeout(idle);
		const process = current;
		current = null;
		life.abort();
		await process?.then(
			({exited}) => exited,
			() => undefined,
		);
	};

	const started = (): Promise<LookupProcess> => {
		if (current !== null) return current;
		life = new AbortController();
		const starting = start(life.signal);
		current = starting;
		const forget = (): void => {
			if (current === starting) current = null;
		};
		starting.then(process => process.exited.then(forget), forget);
		return starting;
	};

	const ask = async <T>(shape: z.ZodType<T>, question: Question, argument: string): Promise<T> => {
		clearTimeout(idle);
		waiting++;
		let limit: NodeJS.Timeout | undefined;
		try {
			const process = await started();
			limit = setTimeout(() => void process.kill(), ANSWER_LIMIT_MS);
			return shape.parse(JSON.parse(await process.ask(question, argument)));
		} catch (error) {
			throw new Error(`Python could not answer the question (${question}).`, {cause: error});
		} finally {
			clearTimeout(limit);
			waiting--;
			if (waiting === 0) {
				idle = setTimeout(() => void stop(), IDLE_LIMIT_MS);
				idle.unref();
			}
		}
	};

	return {
		/** Documentation of a name as plain text from pydoc. Null if the name is unknown. */
		pydoc: (name: string) => ask(documentation, 'pydoc', name),
		/** Installed packages outside the standard library, and Python's version. */
		packages: () => ask(packageList, 'packages', ''),
		/** Definitions in a source, or the message of its SyntaxError. The source is not run. */
		outline: (source: string) => ask(sourceOutline, 'outline', source),
		close: stop,
	};
};

/**
 * Read-only look-ups that run outside the session's kernel, so they never wait for a cell or change
 * variables.
 */
export type Lookup = Omit<ReturnType<typeof createLookup>, 'close'>;
