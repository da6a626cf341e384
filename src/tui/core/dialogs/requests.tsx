import {type RequestEntry, requestLog} from '../store/requests.ts';
import {label} from '../../../text/safe.ts';
import {cellWidth, fit} from '../../../text/width/width.ts';
import {clockText, durationText} from '../components/age.ts';
import {positionText, withScrollMark} from '../components/position.ts';
import {movements, windowAround} from '../components/scroll.ts';
import type {Rect, State} from '../program.ts';
import {actionOn, actionsOf, refused, type KeyScope} from '../keys/action.ts';
import {list} from '../keys/binding-sets.ts';
import {lastResult} from '../store/last-result.ts';
import {topDialog, route} from '../store/route.ts';
import {useApp} from '../store-context.ts';
import {glyph} from '../theme/glyphs.ts';
import {paint} from '../theme/theme.ts';
import {DialogBox, lineWidth} from './dialog-box.tsx';
import {notices} from '../store/notices.ts';

const WIDTH = 180;
const LEAST_WIDTH = 96;

const RESULT = 16;
/** Width of a row's other parts: all but path, result and duration. In cells. */
const OTHERS = 18;
const TOOK = 9;

const resultOf = ({status, problem, took}: RequestEntry): string =>
	took === null ? 'running' : `${status ?? ''} ${problem ?? ''}`.trim();

const tookText = ({took}: RequestEntry): string =>
	took === null ? '' : took < 1000 ? `${Math.round(took)} ms` : durationText(took);

/**
 * A failed request has a mark and a colour, and its problem beside its status. The path gets the
 * remaining width.
 */
export const requestRow = (
	entry: RequestEntry,
	isChosen: boolean,
	width: number,
	{result = RESULT, took: tookCells = TOOK}: {readonly result?: number; readonly took?: number} = {},
): string => {
	const {method, path, problem, startedAt, took} = entry;
	const mark = took === null ? ' ' : problem === undefined ? glyph.yes : glyph.no;
	const text = `${clockText(startedAt)} ${mark} ${method.padEnd(4)} ${fit(label(path, 400), Math.max(8, width - OTHERS - result - tookCells))} ${fit(resultOf(entry), result)} ${tookText(entry).padStart(tookCells)}`;
	return isChosen ? paint('selected', fit(text, width)) : problem === undefined ? text : paint('bad', text);
};

const newestFirst = lastResult((requests: readonly RequestEntry[]) => requests.toReversed());

const indexIn = (all: readonly RequestEntry[], at: number | null): number =>
	Math.max(
		0,
		all.findIndex(({id}) => id === at),
	);

const heightIn = (body: Rect): number => Math.max(3, body.height - 4);

const chosenIn = (state: State): RequestEntry | undefined => {
	const all = newestFirst(state.requests);
	return all[indexIn(all, topDialog(state, 'requests')?.at ?? null)];
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
			const all = newestFirst(get().requests);
			return movements(
				() => indexIn(all, topDialog(get(), 'requests')?.at ?? null),
				all.length,
				heightIn(rect),
				to => route(get).changeDialog({kind: 'requests', at: all[to]?.id ?? null}),
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
		close: {keys: ['esc', 'q'], label: 'close', run: ({get}) => route(get).closeDialog()},
	},
};

/** All requests to the service, newest first. */
export const Requests = ({at = null, body}: {readonly at?: number | null; readonly body: Rect}) => {
	const all = newestFirst(useApp(state => state.requests));
	const cursor = indexIn(all, at);
	const height = heightIn(body);
	const from = windowAround(cursor, height, all.length);
	const inView = all.slice(from, from + height);
	const longest = all.reduce((most, {path}) => Math.max(most, cellWidth(label(path, 400))), 0);
	const wanted = Math.min(WIDTH, Math.max(LEAST_WIDTH, longest + OTHERS + TOOK + RESULT + 4));
	const width = lineWidth(body, wanted);
	const cells = {
		result: Math.min(RESULT, Math.max(...inView.map(entry => cellWidth(resultOf(entry))))),
		took: Math.min(TOOK, Math.max(...inView.map(entry => tookText(entry).length))),
	};
	const rows = withScrollMark(
		inView.map((entry, offset) => requestRow(entry, from + offset === cursor, width, cells)),
		{from, height, count: all.length, width},
	);
	return (
		<DialogBox
			title={`Requests ${all.length}`}
			body={body}
			width={wanted}
			lines={rows.length > 0 ? rows : [paint('dim', 'No requests yet.')]}
			position={positionText(cursor, all.length)}
		/>
	);
};
