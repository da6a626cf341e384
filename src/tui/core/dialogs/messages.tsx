import {keyNameOf} from '../../../text/key-name.ts';
import {label} from '../../../text/safe.ts';
import {fit} from '../../../text/width/width.ts';
import {wrap} from '../../../text/width/wrap.ts';
import {clockText} from '../components/age.ts';
import {callDetailsHint, keyHints} from '../components/key-hint.ts';
import {noticeMark} from '../components/notice-mark.ts';
import {positionText, withScrollMark} from '../components/position.ts';
import {movements, windowAround} from '../components/scroll.ts';
import {showKey} from '../frame/footer.ts';
import {actionOn, actionsOf, refused, type KeyScope} from '../keys/action.ts';
import {list} from '../keys/binding-sets.ts';
import type {Rect, State} from '../program.ts';
import {clipboard} from '../store/clipboard.ts';
import {failureOf} from '../store/failed-call.ts';
import {lastResult} from '../store/last-result.ts';
import {notices, type Notice} from '../store/notices.ts';
import {topDialog, route} from '../store/route.ts';
import {useApp, useGetState} from '../store-context.ts';
import {paint, paintSelected} from '../theme/theme.ts';
import {DialogBox, LIST_WIDTH, lineWidth} from './dialog-box.tsx';

const newestFirst = lastResult((all: readonly Notice[]) => all.toReversed());

const indexIn = (all: readonly Notice[], at: number | null): number =>
	Math.max(
		0,
		all.findIndex(({id}) => id === at),
	);

/** Width of a message's row, in cells, without the scroll mark. */
const rowWidth = (body: Rect): number => lineWidth(body, LIST_WIDTH) - 2;

/** Height of the list: that of the body, without the box's sides, blank rows and keys. */
const heightIn = (body: Rect): number => Math.max(3, body.height - 7);

const chosenIn = (state: State): Notice | undefined => {
	const all = newestFirst(state.notices);
	return all[indexIn(all, topDialog(state, 'messages')?.at ?? null)];
};
const onMessage = actionOn(({get}) => chosenIn(get()) ?? refused('There are no messages'));
const copy = ({text}: Notice, get: () => State): void => void clipboard(get).copy(text, 'The message');

const openLabel = (notice: Notice, {requests}: Pick<State, 'requests'>): string =>
	notice.leads ? 'go there' : failureOf(notice, requests) === undefined ? 'copy' : 'show the response';

const TIME = 8;

/** A message as rows, with its time at the right of the first one. */
const messageRows = (notice: Notice, state: Pick<State, 'requests'>, width: number): readonly string[] => {
	const failure = failureOf(notice, state.requests);
	const hint = failure === undefined ? '' : `   ${paint('dim', callDetailsHint(failure, 'always.evidence'))}`;
	return wrap(label(notice.text, 400) + hint, width - TIME - 4).map((row, at) =>
		at === 0
			? `${noticeMark(notice.kind)} ${fit(row, width - TIME - 3)} ${paint('dim', clockText(notice.at))}`
			: `  ${row}`,
	);
};

/**
 * Index of the message one page from `at`. A message may have several rows. A page is counted in
 * rows, so that no message is skipped.
 */
const pageFrom = (
	at: number,
	step: 1 | -1,
	all: readonly Notice[],
	state: Pick<State, 'requests'>,
	body: Rect,
): number => {
	const width = rowWidth(body);
	let to = at;
	for (let room = heightIn(body); all[to + step] !== undefined; to += step) {
		const passed = all[step === 1 ? to : to - 1];
		if (passed !== undefined) room -= messageRows(passed, state, width).length;
		if (room < 0 && to !== at) break;
	}
	return to;
};

export const messageKeys: KeyScope = {
	where: 'messages',
	isDialog: true,
	actions: {
		...actionsOf(list, ({get, rect}) => {
			const all = newestFirst(get().notices);
			const cursor = (): number => indexIn(all, topDialog(get(), 'messages')?.at ?? null);
			const go = (to: number): void => route(get).changeDialog({kind: 'messages', at: all[to]?.id ?? null});
			return {
				...movements(cursor, all.length, 1, go),
				pageUp: () => go(pageFrom(cursor(), -1, all, get(), rect)),
				pageDown: () => go(pageFrom(cursor(), 1, all, get(), rect)),
			};
		}),
		open: onMessage({
			keys: ['enter'],
			label: 'go there',
			hint: true,
			now: (notice, {get}) => openLabel(notice, get()),
			run(notice, {get}) {
				const failure = failureOf(notice, get().requests);
				route(get).closeDialog();
				if (notice.leads) return notice.leads();
				if (failure !== undefined) return route(get).openDialog({kind: 'evidence', failure});
				return copy(notice, get);
			},
		}),
		copy: onMessage({keys: ['y'], label: 'copy', hint: true, run: (notice, {get}) => copy(notice, get)}),
		clear: {keys: ['x'], label: 'clear', hint: true, run: ({get}) => notices(get).clearNotices()},
		close: {keys: ['esc', 'q'], label: 'close', run: ({get}) => route(get).closeDialog()},
	},
};

/** Messages so far, newest first. */
export const Messages = ({at = null, body}: {readonly at?: number | null; readonly body: Rect}) => {
	const get = useGetState();
	const all = newestFirst(useApp(state => state.notices));
	const cursor = indexIn(all, at);
	const width = lineWidth(body, LIST_WIDTH);
	const rows = all.flatMap((notice, index) =>
		messageRows(notice, get(), rowWidth(body)).map(row => ({
			row: index === cursor ? paintSelected(fit(row, width)) : row,
			index,
		})),
	);
	const height = Math.min(heightIn(body), Math.max(1, rows.length));
	const from = windowAround(
		rows.findIndex(({index}) => index === cursor),
		height,
		rows.length,
	);
	const shown = withScrollMark(
		rows.slice(from, from + height).map(({row}) => row),
		{from, height, count: rows.length, width},
	);
	const chosen = all[cursor];
	const does = chosen === undefined ? '' : openLabel(chosen, get());
	const first = all.at(-1);
	const since =
		first === undefined
			? ''
			: `${rows.length > height ? positionText(cursor, all.length) : all.length} since ${clockText(first.at).slice(0, 5)} · `;
	return (
		<DialogBox
			title="Messages"
			body={body}
			width={LIST_WIDTH}
			lines={
				shown.length === 0
					? ['', paint('dim', 'No messages yet.')]
					: [
							'',
							...shown,
							'',
							keyHints(
								...(does === 'copy' ? [] : [['messages.open', does] as const]),
								['messages.copy', 'copy'],
								['messages.clear', 'clear'],
							),
						]
			}
			position={`${since}${showKey(keyNameOf('messages.close'))} close`}
		/>
	);
};
