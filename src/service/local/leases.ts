import {once} from '../once.ts';

/** Open connections of programs that use an auto-started service: it lives as long as one of them. */
export type Leases = {
	/** Answers the function that gives the lease back. */
	take(): () => void;
	/** The service ends anyway: nobody is waited for any more. */
	stop(): void;
};

export type LeaseTimes = {
	/** Milliseconds that the service waits for its first lease. */
	readonly first: number;
	/** Milliseconds that it goes on after the last lease was given back. */
	readonly last: number;
};

const leaseTimes: LeaseTimes = {first: 2500, last: 1000};

/** `onUnused` is called once when nobody holds the service any more. */
export const createLeases = (onUnused: () => void, {first, last} = leaseTimes): Leases => {
	let held = 0;
	let stopped = false;
	let timer = setTimeout(onUnused, first);
	return {
		take() {
			held++;
			clearTimeout(timer);
			return once(() => {
				held--;
				if (held === 0 && !stopped) timer = setTimeout(onUnused, last);
			});
		},
		stop() {
			stopped = true;
			clearTimeout(timer);
		},
	};
};

/** For a service started by hand: it lives until it is asked to end. */
export const endlessLeases: Leases = {take: () => () => {}, stop() {}};
