/** Server states that cost money. Servers on a host that cannot be reached keep running. */
const CHARGED: ReadonlySet<string> = new Set(['ready', 'unreachable', 'locked']);

/** True if a server in this state is charged. Null for states that the API does not define. */
export const isCharged = (status: string): boolean | null =>
	CHARGED.has(status) ? true : status === 'offline' ? false : null;

/** Rate per hour in this state. Undefined if the server is not charged or its rate is unknown. */
export const rateIn = (status: string, rate: number | undefined): number | undefined => {
	const isPaid = isCharged(status);
	// A free server costs nothing in any state, so its rate holds in unknown states too.
	return isPaid === true || (isPaid === null && rate === 0) ? rate : undefined;
};
