import type {LiveSession} from '../../api/client-types.ts';
import {label} from '../../text/safe.ts';

type NoLink = {
	readonly kind: 'none';
	readonly says: string;
	readonly asks: string | null;
	readonly isThere?: true;
	readonly isHeld?: true;
};

/**
 * State of a server's live link, or the reason why its cells use the service instead of the link.
 * `says`: the reason, worded as the end of a sentence. `asks`: web origin that the user may allow,
 * or null. `isThere`: the server's own address responds nevertheless. `isHeld`: the user must
 * decide, because the kernel at that address may lack the variables of earlier cells.
 * `diverted`: sessions whose cells use the service while the link is live, by path, with the
 * reason.
 */
export type LinkState =
	| {readonly kind: 'asking'}
	| {readonly kind: 'live'; readonly diverted?: ReadonlyMap<string, NoLink>}
	| NoLink;

export const UNHEARD: NoLink = {
	kind: 'none',
	says: "its kernel does not respond at the server's own address",
	asks: null,
	isThere: true,
};
export const HELD: NoLink = {
	kind: 'none',
	says: "cells ran through the service, and the kernel at the server's own address may be a different one",
	asks: null,
	isThere: true,
	isHeld: true,
};

/** Link state for the cells of one session. */
export const linkFor = (link: LinkState | undefined, {path}: LiveSession): LinkState | undefined =>
	(link?.kind === 'live' ? link.diverted?.get(path) : undefined) ?? link;

/** The link state after this session was diverted to the service; `how` null ends the diversion. */
export const withSession = (link: LinkState, {path}: LiveSession, how: NoLink | null): LinkState => {
	if (link.kind !== 'live') return link;
	const diverted = new Map(link.diverted);
	if (how === null) diverted.delete(path);
	else diverted.set(path, how);
	return diverted.size === 0 ? {kind: 'live'} : {kind: 'live', diverted};
};

/** True if the server responds at its own address, even if its cells use the service. */
export const answersThere = (link: LinkState | undefined): boolean =>
	link?.kind === 'live' || (link?.kind === 'none' && link.isThere === true);

/** Reason why a server's address cannot be used, as the end of a sentence. */
export const noLinkReason = (link: LinkState | undefined): string => {
	if (link?.kind !== 'none') return 'the server is not ready';
	return link.asks === null ? link.says : `${link.says}; ":live" shows how to allow it`;
};

/** Sentence that explains whether the output of cells appears while they run, and why. */
export const linkSentence = (server: string, state: LinkState | undefined): string => {
	if (state?.kind === 'live') return "Live output from the server's own address";
	if (state?.kind !== 'none')
		return 'Live output is checked once the server is ready and its REPL has been opened';
	return state.asks === null
		? `Output arrives when the cell ends: ${state.says}`
		: `${label(server, 60)} is at ${label(state.asks, 200)}, a different host. ":live allow" sends its token there`;
};
