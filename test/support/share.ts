import {afterAll, afterEach} from 'vitest';

/**
 * A program, engine or service for all tests of a file: opened by the first test that asks, and
 * again after a failed test. Called at the head of a file.
 * @param open Puts into the stack what is disposed at the end.
 */
export const share = <T>(open: (stack: AsyncDisposableStack) => Promise<T>): (() => Promise<T>) => {
	let opened: {readonly stack: AsyncDisposableStack; readonly value: Promise<T>} | undefined;
	const close = async (): Promise<void> => {
		const {stack} = opened ?? {};
		opened = undefined;
		await stack?.disposeAsync();
	};
	afterEach(async ({task}) => {
		if (task.result?.state === 'fail') await close();
	});
	afterAll(close);
	return async () => {
		if (!opened) {
			const stack = new AsyncDisposableStack();
			opened = {stack, value: open(stack)};
		}
		return opened.value;
	};
};
