import type {Context} from './context.ts';
import {printNotice} from './print.ts';

/** Progress line on a terminal, which the next one overwrites. */
export const createProgress = ({stderr, json}: Pick<Context, 'stderr' | 'json'>) => {
	let shown = false;
	return {
		async show(text: string) {
			if (!stderr.isTTY || json) return;
			shown = true;
			await stderr.write(`\r${text}\u001B[K`);
		},
		async clear() {
			if (!shown) return;
			shown = false;
			await stderr.write('\r\u001B[K');
		},
	};
};

/**
 * Shows the current step on a terminal, with its seconds, in a line that is overwritten. With
 * `isQuiet` false each step is printed once, since other output follows. `isAsked`: each step is
 * also printed off a terminal.
 */
export const createTicker = (
	context: Pick<Context, 'stderr' | 'json'>,
	{isQuiet, isAsked}: {readonly isQuiet: boolean; readonly isAsked: boolean},
) => {
	const progress = createProgress(context);
	let timer: NodeJS.Timeout | undefined;
	return {
		async begin(what: string) {
			clearInterval(timer);
			const isOverwritten = context.stderr.isTTY && !context.json;
			if (isAsked ? !isOverwritten || !isQuiet : isOverwritten && !isQuiet) return printNotice(context, what);
			if (!isOverwritten) return;
			const startedAt = performance.now();
			const show = async (): Promise<void> => {
				const seconds = Math.round((performance.now() - startedAt) / 1000);
				await progress.show(seconds === 0 ? what : `${what}, ${seconds} s`);
			};
			// The loss of the terminal ends the command elsewhere.
			timer = setInterval(() => void show().catch(() => {}), 1000);
			await show();
		},
		async end() {
			clearInterval(timer);
			await progress.clear();
		},
	};
};
