import {requestLog, type RequestEntry} from '../store/requests.ts';
import {keyNameOf} from '../../../text/key-name.ts';
import {fit} from '../../../text/width/width.ts';
import {keyHints} from '../components/key-hint.ts';
import {positionText, withScrollMark} from '../components/position.ts';
import {movements, windowAround} from '../components/scroll.ts';
import {showKey} from '../frame/footer.ts';
import type {Rect, State} from '../program.ts';
import {actionOn, actionsOf, refused, type KeyScope} from '../keys/action.ts';
import {list} from '../keys/binding-sets.ts';
import {topDialog, route} from '../store/route.ts';
import {useApp} from '../store-context.ts';
import {paint, paintSelected} from '../theme/theme.ts';
import {useNow} from '../use-now.ts';
import {DialogBox, LIST_WIDTH, lineWidth} from './dialog-box.tsx';
import {notices} from '../store/notices.ts';
import {requestCells, requestGroups, requestHead, requestRow, type RequestGroup} from './request-rows.ts';

const indexIn = (all: readonly RequestGroup[], at: number | null): number =>
	Math.max(
		0,
		all.findIndex(group => group.some(({id}) => id === at)),
	);

/** Height of the list: that of the body, without the box's sides, titles, blank rows and keys. */
const heightIn = (body: Rect): number => Math.max(3, body.height - 7);

const groupsIn = (state: State): readonly RequestGroup[] =>
	requestGroups(state.requests, topDialog(state, 'requests')?.failedOnly ?? false);
const chosenIn = (state: State): RequestEntry | undefined => {
	const all = groupsIn(state);
	return all[indexIn(all, topDialog(state, 'requests')?.at ?? null)]?.[0];
};
const onCall = (what: string) =>
	actionOn(({get}) => chosenIn(get()) ?? refused(`There is no request to ${what}`));
const onFailure = actionOn(({get}) => {
	const chosen = chosenIn(get());
	return (
		chosen?.failure ??
		refused(
			chosen === undefined
				? 'There is no request to show'
				: chosen.took === null
					? 'This request has no response yet'
					: 'This request succeeded: there is no error to show',
		)
	);
});

export const requestKeys: KeyScope = {
	where: 'requests',
	isDialog: true,
	actions: {
		...actionsOf(list, ({get, rect}) => {
			const all = groupsIn(get());
			return movements(
				() => indexIn(all, topDialog(get(), 'requests')?.at ?? null),
				all.length,
				heightIn(rect),
				to => {
					const {failedOnly = false} = topDialog(get(), 'requests') ?? {};
					route(get).changeDialog({kind: 'requests', at: all[to]?.[0].id ?? null, failedOnly});
				},
			);
		}),
		open: onFailure({
			keys: ['enter', '!'],
			label: 'show the response',
			hint: true,
			run: (failure, {get}) => route(get).openDialog({kind: 'evidence', failure}),
		}),
		copy: onCall('copy')({
			keys: ['c', 'y'],
			label: 'copy as curl',
			hint: true,
			run({id}, {get}) {
				void requestLog(get)
					.copyRequest(id)
					.then(words => words === undefined || notices(get).notify('info', words));
			},
		}),
		cancel: onCall('cancel')({
			keys: ['x'],
			label: 'cancel the request',
			hint: true,
			now: ({took}) => (took === null ? undefined : null),
			run: ({id}, {get}) => requestLog(get).cancelRequest(id),
		}),
		failed: {
			keys: ['f'],
			label: 'failed only',
			hint: true,
			now: ({get}) => (topDialog(get(), 'requests')?.failedOnly === true ? 'all' : undefined),
			run({get}) {
				const {at = null, failedOnly = false} = topDialog(get(), 'requests') ?? {};
				route(get).changeDialog({kind: 'requests', at, failedOnly: !failedOnly});
			},
		},
		close: {keys: ['esc', 'q'], label: 'close', run: ({get}) => route(get).closeDialog()},
	},
};

/** All requests to the service, newest first. */
export const Requests = ({
	at = null,
	failedOnly = false,
	body,
}: {
	readonly at?: number | null;
	readonly failedOnly?: boolean;
	readonly body: Rect;
}) => {
	const requests = useApp(state => state.requests);
	const all = requestGroups(requests, failedOnly);
	const now = useNow(requests.some(({took}) => took === null) ? 1000 : undefined);
	const cursor = indexIn(all, at);
	const height = heightIn(body);
	const from = windowAround(cursor, height, all.length);
	const inView = all.slice(from, from + height);
	const width = lineWidth(body, LIST_WIDTH);
	const cells = requestCells(inView, now);
	const rows = withScrollMark(
		inView.map((group, offset) => {
			const row = requestRow(group, width - 1, cells, now);
			return from + offset === cursor ? paintSelected(fit(row, width)) : row;
		}),
		{from, height, count: all.length, width},
	);
	const count =
		all.length > height
			? positionText(cursor, all.length)
			: String(all.reduce((sum, group) => sum + group.length, 0));
	const chosen = all[cursor]?.[0];
	return (
		<DialogBox
			title={failedOnly ? 'Requests that failed' : 'Requests'}
			body={body}
			width={LIST_WIDTH}
			lines={[
				'',
				...(rows.length > 0
					? [requestHead(width - 1, cells), ...rows]
					: [paint('dim', failedOnly ? 'No request has failed.' : 'No requests yet.')]),
				'',
				keyHints(
					...(chosen?.failure === undefined ? [] : [['requests.open', 'answer'] as const]),
					...(chosen === undefined ? [] : [['requests.copy', 'copy as curl'] as const]),
					...(chosen?.took === null ? [['requests.cancel', 'cancel'] as const] : []),
					['requests.failed', failedOnly ? 'all' : 'failed only'],
				),
			]}
			position={`${all.length === 0 ? '' : `${count} · `}${showKey(keyNameOf('requests.close'))} close`}
		/>
	);
};
