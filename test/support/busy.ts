/** Blocks the event loop of this process for this many milliseconds. */
export const busyFor = (milliseconds: number): void => {
	const end = performance.now() + milliseconds;
	while (performance.now() < end);
};
