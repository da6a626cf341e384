// What a service answered at an error: which one is meant where the user is.
import type {Failure} from '../../../api/failure.ts';
import {label} from '../../../text/safe.ts';
import {EMPTY_TREE} from '../../files/slice.ts';
import type {RequestEntry} from './requests.ts';
import type {State} from '../program.ts';

type Shown = Pick<
	State,
	| 'requestsNow'
	| 'notice'
	| 'dialogs'
	| 'screen'
	| 'current'
	| 'servers'
	| 'compute'
	| 'environments'
	| 'files'
	| 'viewers'
	| 'paneFocus'
	| 'repls'
	| 'conversations'
>;

/** So much of a sentence of an error is looked for in a notice, which may be cut. */
const ENOUGH = 60;

const latest = (
	requests: readonly RequestEntry[],
	passes: (failure: Failure) => boolean = () => true,
): Failure | undefined =>
	requests.findLast(({failure}) => failure !== undefined && failure.kind !== 'cancelled' && passes(failure))
		?.failure;

/** The error that the notice above the footer tells of. */
export const noticedFailure = ({
	requests,
	notice,
}: Pick<State, 'requests' | 'notice'>): Failure | undefined =>
	notice?.kind === 'bad'
		? latest(requests, ({message}) => notice.text.includes(label(message, 400).slice(0, ENOUGH)))
		: undefined;

const onScreen = ({
	screen,
	current,
	servers,
	compute,
	environments,
	files,
	viewers,
	paneFocus,
	repls,
	conversations,
}: Shown): Failure | null | undefined => {
	const server = current ?? '';
	switch (screen) {
		case 'servers':
			return servers.failure;
		case 'compute':
			return compute.failure;
		case 'environments':
			return environments.failure;
		case 'files': {
			const tree = files.get(server) ?? EMPTY_TREE;
			if (paneFocus.files === 'viewer') return viewers.get(server)?.file.failure;
			return (
				tree.folders.get(tree.cursor)?.failure ??
				tree.folders.get('')?.failure ??
				viewers.get(server)?.file.failure
			);
		}
		case 'repl':
			return repls.get(server)?.cells.findLast(each => each.failure !== null)?.failure;
		case 'assistant':
			return conversations.get(server)?.turns.findLast(each => each.failure !== null && !each.replaced)
				?.failure;
		default:
			return undefined;
	}
};

/** The error that the user has before him; else the last one. */
export const shownFailure = (state: Shown): Failure | undefined => {
	const requests = state.requestsNow();
	if (state.dialogs.length > 0) return latest(requests, ({method}) => method !== 'GET') ?? latest(requests);
	return noticedFailure({requests, notice: state.notice}) ?? onScreen(state) ?? latest(requests);
};
