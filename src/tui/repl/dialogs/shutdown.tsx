import type {ServerItem} from '../../../contract/servers.ts';
import {perHour} from '../../../text/money.ts';
import {label} from '../../../text/safe.ts';
import {wrap} from '../../../text/width/wrap.ts';
import {keyHints} from '../../core/components/key-hint.ts';
import {DialogBox} from '../../core/dialogs/dialog-box.tsx';
import type {DialogProps} from '../../core/program.ts';
import type {KeyHandlers} from '../../core/room.ts';
import {useApp, useFields} from '../../core/store-context.ts';
import {topDialog} from '../../core/store/route.ts';
import {paint} from '../../core/theme/theme.ts';
import {useNow} from '../../core/use-now.ts';
import {isAttached} from '../../servers/ask-to-start.ts';
import {spendOf, type Spend} from '../../servers/rentals.ts';
import {findServer} from '../../servers/slice.ts';
import {queuedCells, replOf, runningCell} from '../cell.ts';
import {endsToo} from './restart.tsx';

const WIDTH = 70;

export const shuttingDown: KeyHandlers<'confirm'> = ({get}) => ({
	yes() {
		const server = topDialog(get(), 'shutdown')?.server;
		get().closeDialog();
		if (server !== undefined) void get().shutDownServer(server);
	},
	no: () => get().closeDialog(),
});

/** What a server costs that is to end, as far as that is known. */
const moneyWords = ({rate, estimate, atLeast}: Spend): string => {
	if (rate === undefined) return 'What it costs is not known.';
	const soFar =
		estimate === undefined ? '' : `, ${atLeast ? 'at least' : 'about'} ${estimate.toFixed(2)} so far`;
	return `It costs ${perHour(rate)}${soFar}; that ends with it.`;
};

/** Whose process ends that others have started. */
const whoseWords = ({url}: ServerItem): string =>
	`It is attached: the Jupyter Server at ${label(URL.parse(url ?? '')?.host ?? '?', 100)} was started by someone else. It ends for everybody who uses it, and cannot be started from here; ":detach" only takes it out of the list.`;

/** Asks before a server ends. */
export const ShutdownDialog = ({server, body}: DialogProps<'shutdown'>) => {
	const state = useFields('servers', 'rentals', 'compute');
	const repl = useApp(each => replOf(each, server));
	const now = useNow();
	const found = findServer(state, server);
	const width = Math.min(WIDTH, body.width - 4) - 4;
	const said = (words: string): readonly string[] => (words === '' ? [] : wrap(words, width));
	const ends = endsToo(runningCell(repl) !== undefined, queuedCells(repl));
	const whose = found !== undefined && isAttached(found) ? whoseWords(found) : '';
	const money = found && !isAttached(found) ? moneyWords(spendOf(state, found, now)) : '';
	return (
		<DialogBox
			title={`Shut down ${label(server, 30)}?`}
			body={body}
			width={WIDTH}
			lines={[
				'',
				...said(whose).map(line => paint('own', line)),
				...said(
					'The server ends, and its kernels with their variables. Files, these cells and what you typed are kept.',
				),
				...said(ends).map(line => paint('busy', line)),
				...said(money),
				'',
				keyHints(['confirm.yes', 'shut it down'], ['confirm.no', 'leave it']),
			]}
		/>
	);
};
