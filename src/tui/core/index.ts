// The core as a feature: dialogs, keys and data that belong to no noun.
import type {Failure} from '../../api/failure.ts';
import {commandLine} from './dialogs/command-line.ts';
import {CallDetails} from './dialogs/call-details.tsx';
import {palette} from './dialogs/omnibox.ts';
import {Messages} from './dialogs/messages.tsx';
import {help} from './dialogs/palette.ts';
import {Requests} from './dialogs/requests.tsx';
import {showTheme, themes} from './dialogs/theme.ts';
import {coreKeys} from './keys/core-keys.ts';
import {dialog, type Feature} from './feature.ts';
import {clipboard} from './store/clipboard.ts';
import {listViews, type ListsState} from './store/lists.ts';
import {notices, expireNotices, type NoticesState} from './store/notices.ts';
import {requestLog, type RequestsState} from './store/requests.ts';
import {route, type RouteState} from './store/route.ts';
import {seenWork, type SeenState} from './store/unseen-results.ts';
import {control, type SessionState} from './store/session.ts';

declare module './program.ts' {
	interface State extends SessionState, RouteState, SeenState, ListsState, RequestsState, NoticesState {}
	interface Scopes {
		always: true;
		anywhere: true;
		own: true;
		global: true;
		filter: true;
		confirm: true;
		reader: true;
		told: true;
		chooser: true;
		evidence: true;
		requests: true;
		messages: true;
	}
	interface Dialogs {
		/** `words`: initial text. */
		palette: {words?: string};
		/** `isWhole`: lists every key. */
		help: {readonly isWhole?: boolean};
		messages: {at?: number | null};
		theme: {};
		/** `at`: selected request. */
		requests: {at?: number | null; failedOnly?: boolean};
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
		dialog({kind: 'messages', scope: 'messages', Dialog: Messages}),
		themes,
		dialog({kind: 'requests', scope: 'requests', Dialog: Requests}),
		dialog({kind: 'evidence', scope: 'evidence', Dialog: CallDetails}),
		commandLine,
	],
	keys: coreKeys,
	onStart(app) {
		showTheme(app);
		expireNotices(app);
	},
};
