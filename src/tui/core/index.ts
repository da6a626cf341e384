// The parts of the program without a noun.
import type {Failure} from '../../api/failure.ts';
import {commandLine} from './dialogs/command-line.ts';
import {evidence, CallDetails} from './dialogs/call-details.tsx';
import {help, messages, palette} from './dialogs/palette.ts';
import {requestKeyLabel, requests, Requests} from './dialogs/requests.tsx';
import {showTheme, themes} from './dialogs/theme.ts';
import {globalHandlers} from './frame/global-keys.ts';
import type {coreKeys} from './keys/core-keys.ts';
import {dialog, type Feature} from './feature.ts';
import {clipboard} from './store/clipboard.ts';
import {listViews, type ListsState} from './store/lists.ts';
import {notices, expireNotices, type NoticesState} from './store/notices.ts';
import {requestLog, type RequestsState} from './store/requests.ts';
import {route, type RouteState} from './store/route.ts';
import {seenWork, type SeenState} from './store/unseen-results.ts';
import {control, type SessionState} from './store/session.ts';

type Keys = ReturnType<typeof coreKeys>;

declare module './program.ts' {
	interface State extends SessionState, RouteState, SeenState, ListsState, RequestsState, NoticesState {}
	interface Keymap extends Keys {}
	interface Dialogs {
		palette: {};
		help: {};
		messages: {};
		theme: {};
		/** `at`: selected request. */
		requests: {at?: number | null};
		/** Request and response of a failure. */
		evidence: {failure: Failure; top?: number};
		/** `line`: initial text. */
		'command-line': {line?: string};
	}
}

export const core: Feature = {
	parts: [control, route, seenWork, listViews, clipboard, requestLog, notices],
	dialogs: [
		palette,
		help,
		messages,
		themes,
		dialog({
			kind: 'requests',
			scope: 'requests',
			handlers: {requests},
			labelNow: requestKeyLabel,
			Dialog: Requests,
		}),
		dialog({kind: 'evidence', scope: 'evidence', handlers: {evidence}, Dialog: CallDetails}),
		commandLine,
	],
	handlers: globalHandlers,
	onStart(app) {
		showTheme(app);
		expireNotices(app);
	},
};
