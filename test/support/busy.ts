/** Keeps the loop of this process busy for this many milliseconds. */
export const busyFor = (milliseconds: number): void => {
	const end = performance.now() + milliseconds;
	while (performance.now() < end);
};
