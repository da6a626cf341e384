/** The same function; a second call does nothing. */
export const once = (action: () => void): (() => void) => {
	let isCalled = false;
	return () => {
		if (isCalled) return;
		isCalled = true;
		action();
	};
};
