import type {LinkWatch} from '../work/step-executor.ts';
import type {ServerLink} from './on-server.ts';

/** Interruptions of the connection that are shorter are not reported, in ms. */
const BROKEN_MS = 2000;
/**
 * Interval in ms at which the service's list is checked for a stopped server, while the connection
 * is lost.
 */
const LOOK_MS = 5000;

/** Notices about the connection to the server. */
const LINK_WORDS = {
	lost: 'The connection to the server is lost; its code may still be running. Retrying for half an hour; Ctrl-C stops waiting.',
	back: 'The connection is back.',
} as const;

/**
 * Reports when the connection has been lost for a while, with the service's reason, and when it is
 * back. Closes the connection once the server has stopped, instead of retrying for half an hour.
 */
export const watchLink = (
	{linkState, close}: ServerLink,
	tell: (words: string, isBroken: boolean) => void,
): LinkWatch => {
	let timer: NodeJS.Timeout | undefined;
	let isReported = false;
	let isExplained = false;
	const closeIfStopped = async (): Promise<void> => {
		const {hasStopped, away} = await linkState();
		if (!isReported) return;
		if (away !== null && !isExplained) {
			isExplained = true;
			tell(away, true);
		}
		if (hasStopped) close(true);
		else timer = setTimeout(() => void closeIfStopped(), LOOK_MS);
	};
	return {
		onLink(isOpen) {
			clearTimeout(timer);
			if (!isOpen)
				timer = setTimeout(() => {
					isReported = true;
					tell(LINK_WORDS.lost, true);
					void closeIfStopped();
				}, BROKEN_MS);
			else if (isReported) {
				isReported = false;
				isExplained = false;
				tell(LINK_WORDS.back, false);
			}
		},
		end() {
			isReported = false;
			clearTimeout(timer);
		},
	};
};
