import {sessionOf, type Document} from '../../../run/open-kernel.ts';
import {label} from '../../../text/safe.ts';
import {port} from '../../core/ports.ts';
import type {State} from '../../core/program.ts';
import {linkFor, type LinkState} from '../../live/link-state.ts';
import type {KernelEnd} from '../../live/orders.ts';

/** A document whose cells run in a kernel of a server. */
export type KernelOwner = {
	readonly document: Document;
	/** Id of the running cell. */
	readonly running: number | undefined;
	/** Number of waiting cells. */
	readonly queued: number;
	/** Makes the next cells run in the kernel with this name. */
	use(kernel: string): void;
	/**
	 * Holds the waiting cells back while the kernel is being ended. The returned function receives
	 * the outcome, and may be called more than once.
	 */
	endKernel(): (how: KernelEnd) => void;
	/** Runs all cells once no cell is running. Missing for the REPL. */
	readonly runAll?: () => void;
};

/** The REPL of a server, whose kernel is marked in the list of kernels. */
export const replOwner = port<[server: string], KernelOwner>('replOwner');
/** The document that has focus: the notebook in the viewer, or the REPL. */
export const focusedDocument = port<[server: string], Document>('focusedDocument');
export const ownerOf = port<[server: string, document: Document], KernelOwner>('ownerOf');

/** Name of a document in a sentence. */
export const documentName = (document: Document): string =>
	document.kind === 'notebook' ? label(document.path, 200) : 'the REPL';

/** Link that the document's cells use. */
export const documentLink = (state: State, server: string, document: Document): LinkState | undefined =>
	linkFor(state.links.get(server), sessionOf(document));

/** True if the document's cells run, or may run, in a kernel at the server's address. */
export const runsAtAddress = (state: State, server: string, document: Document): boolean =>
	state.isLocal || documentLink(state, server, document)?.kind !== 'none';
