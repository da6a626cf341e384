// What a service answered at an error: which one is meant where the user is.
import type {Failure} from '../../../api/failure.ts';
import {label} from '../../../text/safe.ts';
import type {Notice} from './notices.ts';
import {type RequestEntry, requestLog} from './requests.ts';
import type {State} from '../program.ts';
import {dialogSpec, screenSpec} from '../features.ts';

/** So much of a sentence of an error is looked for in a notice, which may be cut. */
const ENOUGH = 60;

const latest = (
	requests: readonly RequestEntry[],
	passes: (failure: Failure) => boolean = () => true,
): Failure | undefined =>
	requests.findLast(({failure}) => failure !== undefined && failure.kind !== 'cancelled' && passes(failure))
		?.failure;

/** The error that a notice tells of, as long as its call is known. */
export const failureOf = (
	{kind, text}: Pick<Notice, 'kind' | 'text'>,
	requests: readonly RequestEntry[],
): Failure | undefined =>
	kind === 'bad'
		? latest(requests, ({message}) => text.includes(label(message, 400).slice(0, ENOUGH)))
		: undefined;

/** The error that the notice above the footer tells of. */
export const noticedFailure = ({
	requests,
	notice,
}: Pick<State, 'requests' | 'notice'>): Failure | undefined =>
	notice === null ? undefined : failureOf(notice, requests);

/** The error that the user has before him; else the last one. */
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
