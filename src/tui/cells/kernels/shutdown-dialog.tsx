import type {ServerItem} from '../../../contract/servers.ts';
import {perHour, roundedPrice} from '../../../text/money.ts';
import {label} from '../../../text/safe.ts';
import {wrap} from '../../../text/width/wrap.ts';
import {question, QuestionBox} from '../../core/dialogs/question.tsx';
import type {DialogProps} from '../../core/program.ts';
import {useFields} from '../../core/store-context.ts';
import {paint} from '../../core/theme/theme.ts';
import {useNow} from '../../core/use-now.ts';
import {isAttached} from '../../servers/ask-to-start.ts';
import {estimateOf, type CostEstimate} from '../../servers/costs/rentals.ts';
import {hostOf} from '../../../query/own-hosts.ts';
import {findServer} from '../../servers/servers.ts';
import {replOwner} from './owner.ts';
import {useEndedCells} from './restart-dialog.tsx';
import {serverShutdown} from './shutdown.ts';

/** Sentence on the cost of the server, as far as known. */
const costText = ({rate, estimate, atLeast}: CostEstimate): string => {
	if (rate === undefined) return 'The rate of the server is unknown.';
	const cost =
		estimate === undefined ? '' : `, ${atLeast ? 'at least' : 'about'} ${roundedPrice(estimate)} today`;
	return `The server costs ${perHour(rate)}${cost}. Shutting it down ends this cost.`;
};

/** Warning that someone else has started this server. */
const ownerText = ({url}: ServerItem): string =>
	`It is an attached server at ${label(URL.parse(url ?? '')?.host ?? '?', 100)}, started by someone else. Shutting it down stops it for everyone, and it cannot be started from here. ":detach" only removes it from the list.`;

/** Warning that the server's host cannot be reached now. */
const awayText = (server: ServerItem | undefined): string => {
	const host = server === undefined ? null : hostOf(server);
	return host === null || (server?.status !== 'unreachable' && server?.status !== 'locked')
		? ''
		: `${label(host, 60)} cannot be reached now. This is retried for 30 seconds; if that fails, the server keeps running.`;
};

const ShutdownDialog = ({server, body}: DialogProps<'shutdown'>) => {
	const state = useFields('servers', 'rentals', 'spent', 'compute');
	const now = useNow();
	const found = findServer(state, server);
	const ends = useEndedCells(({app}) => replOwner(app, server));
	const whose = found !== undefined && isAttached(found) ? ownerText(found) : '';
	const money = found && !isAttached(found) ? costText(estimateOf(state, found, now)) : '';
	const isStart = found !== undefined && hostOf(found) !== null && found.status === 'starting';
	return (
		<QuestionBox
			title={isStart ? `Cancel the start of ${label(server, 30)}?` : `Shut down ${label(server, 30)}?`}
			body={body}
			text={width => {
				const said = (words: string): readonly string[] => (words === '' ? [] : wrap(words, width));
				return [
					...said(whose).map(line => paint('own', line)),
					...said(
						isStart
							? 'Its start is cancelled, and its job, if any, leaves the queue. Files are kept.'
							: 'The server stops, and the variables of its kernels are lost. Files, these cells and your typed text are kept.',
					),
					...said(awayText(found)),
					...said(ends).map(line => paint('busy', line)),
					...said(money),
				];
			}}
			yes={isStart ? 'cancel the start' : 'shut down'}
		/>
	);
};

/** Asks before a server is shut down. */
export const shutdown = question({
	kind: 'shutdown',
	onYes: (get, {server}) => void serverShutdown(get).shutDownServer(server),
	Dialog: ShutdownDialog,
});
