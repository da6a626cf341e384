/** 09:30 on a Sunday, in UTC, so that frames show the same times in every zone. */
const START = Date.UTC(2026, 10, 22, 9, 30);

/** A clock that advances only on demand. Times in ms since the epoch. */
export type Clock = {
	now(): number;
	pass(ms: number): void;
	/** Passes a second, at the end of which the intervals of a second act. */
	tick(): void;
};

/**
 * Stops the clock of this process, intervals included, until the result is disposed: a spinner
 * shows its first picture.
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
	// A pause before a retry is shown as a time.
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
