/** Sunday, 09:30 UTC. The clock shows UTC, so that frames contain the same times in every zone. */
const START = Date.UTC(2026, 10, 22, 9, 30);

/** A clock that advances only when a test asks for it. Times are in ms since the epoch. */
export type Clock = {
	now(): number;
	pass(ms: number): void;
	/** Advances by a second. Intervals of a second fire at its end. */
	tick(): void;
};

/**
 * Stops the clock of this process, with its intervals, until the result is disposed. A spinner
 * therefore shows its first picture.
 */
export const stopClock = (): Clock & Disposable => {
	let at = START;
	const {Date: RealDate, setInterval: realInterval, clearInterval: realClear} = globalThis;
	const intervals = new Map<object, () => void>();
	const {random} = Math;
	const zone = process.env['TZ'];
	process.env['TZ'] = 'UTC';
	const now = (): number => at;
	globalThis.Date = new Proxy(RealDate, {
		construct: (target, given) => Reflect.construct(target, given.length === 0 ? [at] : given) as Date,
		get: (target, name) => (name === 'now' ? now : (Reflect.get(target, name) as unknown)),
	});
	globalThis.setInterval = ((act: () => void, ms: number) => {
		const handle = {unref: () => handle};
		if (ms === 1000) intervals.set(handle, act);
		return handle;
	}) as never;
	globalThis.clearInterval = ((handle: object) => void intervals.delete(handle)) as never;
	// The screen shows the random delay before a retry, so it is made constant.
	Math.random = () => 0.5;
	return {
		now,
		pass: ms => void (at += ms),
		tick() {
			at += 1000;
			for (const act of [...intervals.values()]) act();
		},
		[Symbol.dispose]() {
			globalThis.Date = RealDate;
			globalThis.setInterval = realInterval;
			globalThis.clearInterval = realClear;
			Math.random = random;
			if (zone === undefined) delete process.env['TZ'];
			else process.env['TZ'] = zone;
		},
	};
};
