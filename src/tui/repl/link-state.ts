import {label} from '../../text/safe.ts';
import type {ByServer} from '../core/store/by-server.ts';

/**
 * `says`: why cells do not go over it, as the end of a sentence. `asks`: an origin that the user may allow. `isThere`: the server answers at its
 * address all the same. `isHeld`: it waits for the user, since the names of the cells so far may not be there.
 */
export type LinkState =
	| {readonly kind: 'asking' | 'live'}
	| {
			readonly kind: 'none';
			readonly says: string;
			readonly asks: string | null;
			readonly isThere?: true;
			readonly isHeld?: true;
	  };

export const UNHEARD: LinkState = {
	kind: 'none',
	says: 'its kernel does not answer at the address of the server',
	asks: null,
	isThere: true,
};
export const HELD: LinkState = {
	kind: 'none',
	says: 'cells ran over the service, and the kernel at the address of the server may be another',
	asks: null,
	isThere: true,
	isHeld: true,
};

/** The server answers at its own address, wherever its cells go. */
export const answersThere = (link: LinkState | undefined): boolean =>
	link?.kind === 'live' || (link?.kind === 'none' && link.isThere === true);

/** Why a server's address cannot be used, as the end of a sentence. */
export const whyNoLink = (link: LinkState | undefined): string => {
	if (link?.kind !== 'none') return 'the server is not ready';
	return link.asks === null ? link.says : `${link.says}, and :live says how to allow it`;
};

/** How a server's output comes, and why. */
export const linkSentence = (server: string, state: LinkState | undefined): string => {
	if (state?.kind === 'live') return 'Output comes as it is printed, from the address of the server itself';
	if (state?.kind !== 'none')
		return 'Whether output can come as it is printed is known once the server is ready and its REPL was open';
	return state.asks === null
		? `Output comes at the end: ${state.says}`
		: `${label(server, 60)} is at ${label(state.asks, 200)}, which is not the service: ":live allow" lets its token go there`;
};

/** The kernels at a server's address are those that its cells run in, as far as that is known. */
export const cellsRunAtAddress = (
	{isLocal, links}: {readonly isLocal: boolean; readonly links: ByServer<LinkState>},
	server: string,
): boolean => isLocal || links.get(server)?.kind !== 'none';
