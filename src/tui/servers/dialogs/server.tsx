import {findServer} from '../slice.ts';
import {label} from '../../../text/safe.ts';
import {scrolling} from '../../core/components/scroll.ts';
import type {Rect, State} from '../../core/program.ts';
import type {KeyHandlers} from '../../core/room.ts';
import {detailLines} from '../detail.ts';
import {useApp} from '../../core/store-context.ts';
import {topDialog} from '../../core/store/route.ts';
import {useNow} from '../../core/use-now.ts';
import {DialogBox} from '../../core/dialogs/dialog-box.tsx';

const WIDTH = 96;

type Known = Pick<State, 'servers' | 'rentals' | 'compute' | 'environments' | 'awaited'>;

const linesOf = (known: Known, name: string, now: number, body: Rect): readonly string[] => {
	const server = findServer(known, name);
	return server === undefined
		? ['This server is no longer in the list.']
		: detailLines(server, known, now, Math.min(WIDTH, body.width - 4) - 4).slice(2);
};

export const serverReader: KeyHandlers<'reader'> = ({get, rect}) => {
	const name = topDialog(get(), 'server')?.server ?? '';
	const height = rect.height - 2;
	const last = Math.max(0, linesOf(get(), name, Date.now(), rect).length - height);
	return {
		...scrolling(
			() => topDialog(get(), 'server')?.top ?? 0,
			last,
			height - 1,
			top => get().changeDialog({kind: 'server', server: name, top: top ?? last}),
		),
		close: () => get().closeDialog(),
	};
};

type Props = {readonly server: string; readonly top?: number; readonly body: Rect};

/** Every field of a server, where there is no room for them beside the list. */
export const ServerDialog = ({server, top = 0, body}: Props) => {
	const servers = useApp(state => state.servers);
	const rentals = useApp(state => state.rentals);
	const compute = useApp(state => state.compute);
	const environments = useApp(state => state.environments);
	const awaited = useApp(state => state.awaited);
	const lines = linesOf({servers, rentals, compute, environments, awaited}, server, useNow(), body);
	const height = body.height - 2;
	const from = Math.min(top, Math.max(0, lines.length - height));
	return (
		<DialogBox title={label(server, 60)} body={body} width={WIDTH} lines={lines.slice(from, from + height)} />
	);
};
