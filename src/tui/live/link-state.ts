import {label} from '../../text/safe.ts';

/** A kernel by its name; `notebook`: the path of the one that it is for. */
export type KernelUse = {readonly kernel: string; readonly notebook?: string | undefined};

/** Names one of a server's. */
export const useKey = ({kernel, notebook}: KernelUse): string => JSON.stringify([kernel, notebook]);

type NoLink = {
	readonly kind: 'none';
	readonly says: string;
	readonly asks: string | null;
	readonly isThere?: true;
	readonly isHeld?: true;
};

/**
 * `says`: why cells do not go over it, as the end of a sentence. `asks`: an origin that the user may allow. `isJobAlive`: the server answers at its
 * address all the same. `isHeld`: it waits for the user, since the names of the cells so far may not be there. `diverted`: kernels whose cells do
 * not go over the link that is there, and why, by {@link useKey}.
 */
export type LinkState =
	| {readonly kind: 'asking'}
	| {readonly kind: 'live'; readonly diverted?: ReadonlyMap<string, NoLink>}
	| NoLink;

export const UNHEARD: NoLink = {
	kind: 'none',
	says: 'its kernel does not answer at the address of the server',
	asks: null,
	isThere: true,
};
export const HELD: NoLink = {
	kind: 'none',
	says: 'cells ran over the service, and the kernel at the address of the server may be another',
	asks: null,
	isThere: true,
	isHeld: true,
};

/** How the cells of one kernel go. */
export const linkFor = (link: LinkState | undefined, use: KernelUse): LinkState | undefined =>
	(link?.kind === 'live' ? link.diverted?.get(useKey(use)) : undefined) ?? link;

/** The link with this kernel's cells beside it; null: with them. */
export const withKernel = (link: LinkState, use: KernelUse, how: NoLink | null): LinkState => {
	if (link.kind !== 'live') return link;
	const diverted = new Map(link.diverted);
	if (how === null) diverted.delete(useKey(use));
	else diverted.set(useKey(use), how);
	return diverted.size === 0 ? {kind: 'live'} : {kind: 'live', diverted};
};

/** The server answers at its own address, wherever its cells go. */
export const answersThere = (link: LinkState | undefined): boolean =>
	link?.kind === 'live' || (link?.kind === 'none' && link.isThere === true);

/** Why a server's address cannot be used, as the end of a sentence. */
export const noLinkReason = (link: LinkState | undefined): string => {
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
