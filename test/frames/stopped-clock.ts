/** 09:30 on a Sunday, in UTC, so that frames show the same times in every zone. */
const START = Date.UTC(2026, 10, 22, 9, 30);

/** A clock that advances only on demand. Times in ms since the epoch. */
export type Clock = {now(): number; pass(ms: number): void};

/**
 * Stops the clock of this process, intervals included, until the result is disposed: a spinner
 * shows its first picture.
 */
export const stopClock = (): Clock & Disposable => {
	let at = START;
	const {Date: RealDate, setInterval: realInterval} = globalThis;
	const {random} = Math;
	const zone = process.env['TZ'];
	process.env['TZ'] = 'UTC';
	const now = (): number => at;
	globalThis.Date = new Proxy(RealDate, {
		construct: (target, given) => Reflect.construct(target, given.length === 0 ? [at] : given) as Date,
		get: (target, name) => (name === 'now' ? now : (Reflect.get(target, name) as unknown)),
	});
	globalThis.setInterval = (() => undefined) as never;
	// A pause before a retry is shown as a time.
	Math.random = () => 0.5;
	return {
		now,
		pass: ms => void (at += ms),
		[Symbol.dispose]() {
			globalThis.Date = RealDate;
			globalThis.setInterval = realInterval;
			Math.random = random;
			if (zone === undefined) delete process.env['TZ'];
			else process.env['TZ'] = zone;
		},
	};
};
