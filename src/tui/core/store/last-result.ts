/**
 * Wraps a function so that it returns its previous result while its arguments are the same objects.
 */
export const lastResult = <Args extends readonly unknown[], Result>(
	make: (...args: Args) => Result,
): ((...args: Args) => Result) => {
	let last: {readonly args: Args; readonly result: Result} | undefined;
	return (...args) => {
		if (last === undefined || args.some((arg, index) => arg !== last?.args[index]))
			last = {args, result: make(...args)};
		return last.result;
	};
};
