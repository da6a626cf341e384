import type {ServerItem} from '../../contract/servers.ts';
import {label} from '../../text/safe.ts';

const LONGEST = 400;

/**
 * Reason for a server's state, as a sentence with its source; null without one. Reasons of our own
 * service are sentences.
 */
export const reasonText = ({status_reason: reason}: ServerItem): string | null => {
	if (typeof reason !== 'string' || reason.trim() === '') return null;
	const said = label(reason, LONGEST);
	const sentence = /^\p{Lu}/u.test(said) ? said : `The service says: ${said}`;
	return /[.!?:…。！？]["')]*$/.test(sentence) ? sentence : `${sentence}.`;
};
