import type {Context} from './context.ts';
import {printNotice} from './print.ts';

/** Creates a progress line on a terminal. Each new text overwrites the previous one. */
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
 * Shows the current step on a terminal, with its seconds, in a line that is overwritten. `isQuiet`:
 * if false, other output follows, so each step is printed only once. `isAsked`: true to print each
 * step even if the output is not a terminal.
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
			// Ignored, because if the terminal is lost, other code ends the command.
			timer = setInterval(() => void show().catch(() => {}), 1000);
			await show();
		},
		async end() {
			clearInterval(timer);
			await progress.clear();
		},
	};
};
