import type {ListedKernel} from '../../../api/client-types.ts';
import {label} from '../../../text/safe.ts';
import {wrap} from '../../../text/width/wrap.ts';
import {positionText, withScrollMark} from '../../core/components/position.ts';
import {asking, failureInBox} from '../../core/components/remote-line.ts';
import {clamp, movements, windowAround} from '../../core/components/scroll.ts';
import {tableLines, wantedWidth} from '../../core/components/table.ts';
import {DialogBox, lineWidth} from '../../core/dialogs/dialog-box.tsx';
import {question, QuestionBox} from '../../core/dialogs/question.tsx';
import type {DialogProps, Rect, State} from '../../core/program.ts';
import {actionOn, actionsOf, refused, type Action, type KeyScope, type Row} from '../../core/keys/action.ts';
import {list} from '../../core/keys/binding-sets.ts';
import {useApp} from '../../core/store-context.ts';
import {topDialog, route} from '../../core/store/route.ts';
import {paint} from '../../core/theme/theme.ts';
import {useNow} from '../../core/use-now.ts';
import {replOwner} from './owner.ts';
import {kernelColumns, kernelState} from './rows.ts';
import {kernelCalled, type EndingOrder, kernelAccess} from './kernels.ts';

const LEAST = 76;
const MOST = 180;

const indexIn = (all: readonly ListedKernel[], at: string | null): number =>
	Math.max(
		0,
		all.findIndex(({id}) => id === at),
	);
const heightIn = (body: Rect): number => Math.max(1, body.height - 7);
const chosenIn = ({kernelList}: State, at: string | null): ListedKernel | undefined => {
	const all = kernelList.value ?? [];
	return all[indexIn(all, at)];
};

const onKernel = actionOn(({get}) => {
	const open = topDialog(get(), 'kernels');
	const kernel = open && chosenIn(get(), open.at);
	return kernel ? {server: open.server, kernel} : refused('There is no kernel under the cursor');
});
const askToEnd = (order: EndingOrder, row: Row): Action =>
	onKernel({
		...row,
		run: ({server, kernel}, {get}) => route(get).openDialog({kind: 'end-kernel', server, kernel, order}),
	});

export const kernelKeys: KeyScope = {
	where: 'kernels of a server',
	isDialog: true,
	actions: {
		...actionsOf(list, ({get, rect}) => {
			const {server = ''} = topDialog(get(), 'kernels') ?? {};
			const all = get().kernelList.value ?? [];
			return movements(
				() => indexIn(all, topDialog(get(), 'kernels')?.at ?? null),
				all.length,
				heightIn(rect),
				to => route(get).changeDialog({kind: 'kernels', server, at: all[to]?.id ?? null}),
			);
		}),
		use: onKernel({
			keys: ['enter'],
			label: 'use in the REPL',
			hint: true,
			run: ({server, kernel}, {get}) => void kernelAccess(get).useKernel(server, kernel),
		}),
		interrupt: onKernel({
			keys: ['i i'],
			label: 'interrupt',
			hint: true,
			writes: true,
			run: ({server, kernel}, {get}) => void kernelAccess(get).interruptKernel(server, kernel),
		}),
		restart: askToEnd('restart', {keys: ['r'], label: 'restart', hint: true, writes: true}),
		shutDown: askToEnd('shutDown', {keys: ['x'], label: 'shut down', hint: true, writes: true}),
		close: {keys: ['esc', 'q'], label: 'close', run: ({get}) => route(get).closeDialog()},
	},
};

export const KernelsDialog = ({server, at, body}: DialogProps<'kernels'>) => {
	const kernels = useApp(state => state.kernelList);
	const isRunning = useApp(state => replOwner(state.app, server).running !== undefined);
	const now = useNow();
	const all = kernels.value ?? [];
	const columns = kernelColumns(
		isRunning,
		now,
		all.some(({memory}) => memory !== null),
	);
	const boxed = Math.min(MOST, Math.max(LEAST, wantedWidth(columns, all) + 4));
	const width = lineWidth(body, boxed);
	const cursor = clamp(indexIn(all, at), 0, Math.max(0, all.length - 1));
	const height = heightIn(body);
	const {failure} = kernels;
	const from = windowAround(cursor, height, all.length);
	const {head, lines} = tableLines({
		columns,
		all,
		from,
		height,
		cursor,
		focused: true,
		width,
		stale: failure !== undefined,
	});
	const said = failure === undefined ? [] : failureInBox(failure, width);
	const none =
		kernels.value === undefined ? asking('the server') : 'No kernel runs: the first cell starts one.';
	return (
		<DialogBox
			title={`Kernels of ${label(server, 40)}`}
			body={body}
			width={boxed}
			position={positionText(cursor, all.length)}
			lines={[
				...(all.length > 0
					? [head, ...withScrollMark(lines, {from, height, count: all.length, width})]
					: failure
						? []
						: [paint('dim', none)]),
				...said,
			]}
		/>
	);
};

const WORDS = {
	restart: {title: 'Restart', key: 'restart'},
	shutDown: {title: 'Shut down', key: 'shut down'},
} as const;

const EndKernelDialog = ({server, kernel, order, body}: DialogProps<'end-kernel'>) => {
	const isRunning = useApp(state => replOwner(state.app, server).running !== undefined);
	const isBusy = kernelState(kernel, isRunning) === 'busy';
	return (
		<QuestionBox
			title={`${WORDS[order].title} ${kernelCalled(kernel)}?`}
			body={body}
			text={width => [
				...wrap('Its variables and imports will be lost. Files are kept.', width),
				...(isBusy ? wrap('Its running code will be stopped.', width).map(line => paint('busy', line)) : []),
			]}
			yes={WORDS[order].key}
		/>
	);
};

/** Asks before a kernel's variables are lost. */
export const endKernel = question({
	kind: 'end-kernel',
	onYes: (get, {server, kernel, order}) => void kernelAccess(get).endListedKernel(server, kernel, order),
	Dialog: EndKernelDialog,
});
