import {sessionOf, type Document} from '../../../run/open-kernel.ts';
import {port} from '../../core/ports.ts';
import type {State} from '../../core/program.ts';
import {linkFor, type LinkState} from '../../live/link-state.ts';
import type {KernelEnd} from '../../live/orders.ts';

/** A document whose cells run in a kernel of a server, in its current state. */
export type KernelOwner = {
	readonly document: Document;
	/** Id of the running cell. */
	readonly running: number | undefined;
	/** Number of waiting cells. */
	readonly queued: number;
	/** Runs the next cells in a kernel of this name. */
	use(kernel: string): void;
	/**
	 * Holds the waiting cells back while the kernel is being ended. The returned function takes the
	 * outcome, and may be called more than once.
	 */
	endKernel(): (how: KernelEnd) => void;
};

/** The document whose kernel is chosen, restarted and marked in the list: the REPL of a server. */
export const kernelOwner = port<[server: string], KernelOwner>('kernelOwner');

/** Route of the owner's cells. */
export const ownerLink = (state: State, server: string): LinkState | undefined =>
	linkFor(state.links.get(server), sessionOf(kernelOwner(state.app, server).document));

/** True if the owner's kernel is the one at the server's address, as far as that is known. */
export const runsAtAddress = (state: State, server: string): boolean =>
	state.isLocal || ownerLink(state, server)?.kind !== 'none';
