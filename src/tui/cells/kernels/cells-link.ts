import type {ByServer} from '../../core/store/by-server.ts';
import {linkFor, type LinkState} from '../../live/link-state.ts';
import {replOf, type Repl} from '../../repl/transcript.ts';

type Links = {readonly links: ByServer<LinkState>; readonly repls: ByServer<Repl>};

/** How the cells of a server's REPL go. */
export const replLink = (state: Links, server: string): LinkState | undefined =>
	linkFor(state.links.get(server), replOf(state, server));

/** The kernel at a server's address is the one that the REPL's cells run in, as far as that is known. */
export const cellsRunAtAddress = (state: Links & {readonly isLocal: boolean}, server: string): boolean =>
	state.isLocal || replLink(state, server)?.kind !== 'none';
