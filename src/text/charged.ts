/**
 * True if a server in this state is paid for, false if it is not. Null for every state but the two that the interface
 * names: what it costs is unknown then.
 */
export const isCharged = (status: string): boolean | null =>
	status === 'ready' ? true : status === 'offline' ? false : null;

/** Rate per hour of a server in this state. Undefined if it is not charged, or if nobody knows. */
export const rateIn = (status: string, rate: number | undefined): number | undefined => {
	const isPaid = isCharged(status);
	// A server that is free costs nothing in any state.
	return isPaid === true || (isPaid === null && rate === 0) ? rate : undefined;
};
