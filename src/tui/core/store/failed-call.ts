// Finds the failed request that the user sees a message about.
import type {Failure} from '../../../api/failure.ts';
import {label} from '../../../text/safe.ts';
import type {Notice} from './notices.ts';
import {type RequestEntry, requestLog} from './requests.ts';
import type {State} from '../program.ts';
import {dialogSpec, screenSpec} from '../features.ts';

/**
 * Number of characters of an error message that are compared with a notice, because notices are
 * shortened.
 */
const ENOUGH = 60;

const latest = (
	requests: readonly RequestEntry[],
	passes: (failure: Failure) => boolean = () => true,
): Failure | undefined =>
	requests.findLast(({failure}) => failure !== undefined && failure.kind !== 'cancelled' && passes(failure))
		?.failure;

/** The failure that a notice reports; undefined if its request is no longer in the list. */
export const failureOf = (
	{kind, text}: Pick<Notice, 'kind' | 'text'>,
	requests: readonly RequestEntry[],
): Failure | undefined =>
	kind === 'bad'
		? latest(requests, ({message}) => text.includes(label(message, 400).slice(0, ENOUGH)))
		: undefined;

/** The failure that the notice above the footer reports. */
export const noticedFailure = ({
	requests,
	notice,
}: Pick<State, 'requests' | 'notice'>): Failure | undefined =>
	notice === null ? undefined : failureOf(notice, requests);

/** The failure on screen, or else the latest failure. */
export const shownFailure = (state: State): Failure | undefined => {
	const requests = requestLog(state.app).requestsNow();
	const dialog = state.dialogs.at(-1);
	if (dialog)
		return (
			dialogSpec(dialog).failure?.(state, dialog) ??
			latest(requests, ({method}) => method !== 'GET') ??
			latest(requests)
		);
	const {failure} = screenSpec(state.screen);
	return (
		noticedFailure({requests, notice: state.notice}) ??
		failure?.(state, state.current ?? '') ??
		latest(requests)
	);
};
