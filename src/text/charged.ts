/** Servers on a host that cannot be reached keep running. */
const CHARGED: ReadonlySet<string> = new Set(['ready', 'unreachable', 'locked']);

/** True if a server in this state is charged. Null for states that the API does not define. */
export const isCharged = (status: string): boolean | null =>
	CHARGED.has(status) ? true : status === 'offline' ? false : null;

/** Rate per hour in this state. Undefined if it is not charged or the rate is unknown. */
export const rateIn = (status: string, rate: number | undefined): number | undefined => {
	const isPaid = isCharged(status);
	// A server that is free costs nothing in any state.
	return isPaid === true || (isPaid === null && rate === 0) ? rate : undefined;
};
