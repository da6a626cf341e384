/** Keeps the loop of this process busy for so many milliseconds. */
export const busyFor = (milliseconds: number): void => {
	const end = performance.now() + milliseconds;
	while (performance.now() < end);
};
