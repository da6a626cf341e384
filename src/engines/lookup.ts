import * as z from 'zod';

export type Question = 'pydoc' | 'packages' | 'outline';

/** A Python that answers look-ups as `lookup.py` does, and nothing else. */
export type LookupProcess = {
	/** @returns JSON. @throws {Error} when it ends before it answers. */
	ask(question: Question, argument: string): Promise<string>;
	/** Resolves when it has ended. */
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
/** A function, class or method of a Python source: `line` counts from 1; `doc` is the docstring's first paragraph or empty. */
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

/** Look-ups in a process of their own, started by the first question and ended after a minute without one. */
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
		/** Plain-text documentation as pydoc prints it; null for a name that Python does not know. */
		pydoc: (name: string) => ask(documentation, 'pydoc', name),
		/** What can be imported besides the standard library, and Python's own version. */
		packages: () => ask(packageList, 'packages', ''),
		/** What a source defines, without running it; the message of the SyntaxError when it does not parse. */
		outline: (source: string) => ask(sourceOutline, 'outline', source),
		close: stop,
	};
};

/** Read-only questions about the engine's Python, answered apart from every session: never waits for a cell, never touches its names. */
export type Lookup = Omit<ReturnType<typeof createLookup>, 'close'>;
