/** Wraps a function so that only its first call has an effect. */
export const once = (action: () => void): (() => void) => {
	let isCalled = false;
	return () => {
		if (isCalled) return;
		isCalled = true;
		action();
	};
};
