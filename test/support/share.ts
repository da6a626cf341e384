import {afterAll, afterEach} from 'vitest';

/**
 * Shares a program, engine or service between all tests of a file. The first test that needs it
 * opens it; after a failed test, it is opened again. Called at the top level of a file.
 * @param open Opens it. What it adds to the stack is disposed at the end.
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
