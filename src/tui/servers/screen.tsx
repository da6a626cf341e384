import {Box} from 'ink';
import {useEffect, useMemo} from 'react';
import {estimateOf, totalEstimate} from './costs/rentals.ts';
import {titleRule} from '../core/components/pane-title.ts';
import {Divider, Rows} from '../core/components/rows.tsx';
import {label} from '../../text/safe.ts';
import {wrap} from '../../text/width/wrap.ts';
import type {ServerItem} from '../../contract/servers.ts';
import {elsewhereCount} from '../core/dialogs/omnibox.ts';
import {useApp, useGetState, useFields} from '../core/store-context.ts';
import {useListWait} from '../core/components/use-list-wait.ts';
import {listRhythm, useNow} from '../core/use-now.ts';
import {idleText} from './costs/costs.ts';
import {DETAIL_FIELDS, detailLine, detailLines} from './detail.ts';
import {list} from './keys.ts';
import type {State} from '../core/program.ts';
import {isOpen} from './opened.ts';
import {DIVIDER, serverColumns, serverDetailWidth} from './columns.ts';
import {nextStep} from './next-step.ts';
import {reasonText} from './state.ts';
import {soonLines} from './stop-notices.ts';
import {ServersView, type Market} from './view.tsx';
import type {ComputeOption} from '../../contract/compute.ts';
import {knownNumber} from '../../text/known.ts';
import {waitLines} from './wait-lines.ts';
import type {ScreenProps} from '../core/feature.ts';
import {environmentList} from '../environments/environments.ts';

const SECOND = 1000;
/** Maximum number of lines below the list about servers that are idle or will stop. */
const MOST_IDLE = 2;

const hasNoDialog = (state: State): boolean => state.dialogs.length === 0;
const lastKnown = (state: State) => (state.servers.value === undefined ? state.lastServers : null);

const marketOf = (options: readonly ComputeOption[] | undefined): Market | null =>
	options === undefined || options.length === 0
		? null
		: {
				count: options.length,
				from: options.reduce<number | null>((least, {hourly_price: price}) => {
					const known = knownNumber(price);
					return known === null || (least !== null && least <= known) ? least : known;
				}, null),
			};

/** Rows about the highlighted server, where no details are beside the list. */
const aboutLines = (
	server: ServerItem,
	known: Parameters<typeof detailLine>[1],
	step: string,
): readonly string[] => {
	const reason = reasonText(server);
	return [
		...(reason === null ? [] : [` ${reason}`]),
		...(server.status === 'ready' ? [] : [` ${step}`]),
		` ${detailLine(server, known)}`,
	];
};

export const ServersScreen = ({rect}: ScreenProps) => {
	const get = useGetState();
	const known = useFields('servers', ...DETAIL_FIELDS);
	const {servers, rentals, spent, compute, awaited} = known;
	const {connection, isDetailHidden, columns: chosen} = useFields('connection', 'isDetailHidden', 'columns');
	const focused = useApp(hasNoDialog);
	const wait = useListWait(servers, 'servers', true);
	const now = useNow(awaited.size > 0 ? SECOND : listRhythm(servers));
	const {rows, view, filtering, cursor} = list.useView();
	const isNone = rows.length === 0;
	const elsewhere = useApp(state => (isNone ? elsewhereCount(state, 'servers') : 0));
	const last = useApp(lastKnown);
	const {idle, dailyLimit} = useFields('idle', 'dailyLimit');
	const idleRows = [
		...soonLines(servers.value?.items ?? [], now),
		...[...idle].map(([name, since]) => idleText(get(), name, since, now)),
	].slice(0, MOST_IDLE);
	useEffect(() => {
		if (get().environments.status === 'idle' && servers.status === 'ready')
			void environmentList(get).refreshEnvironments();
	}, [get, servers.status]);
	const columns = useMemo(
		() =>
			serverColumns(
				each => estimateOf({rentals, spent, compute}, each, now),
				view.sort,
				chosen.servers,
				now,
				{rentals, compute, awaited},
			),
		[rentals, spent, compute, awaited, now, view.sort, chosen],
	);
	const total = useMemo(
		() =>
			totalEstimate({rentals, spent, compute}, servers.value?.items ?? [], now, servers.value?.unreadable),
		[rentals, spent, compute, servers.value, now],
	);
	const server = rows[cursor];
	const isHighlightOpen = useApp(state => isOpen(state, server?.name ?? null));
	const detail = last !== null || isDetailHidden || server === undefined ? 0 : serverDetailWidth(rect.width);
	const width = detail > 0 ? rect.width - detail - DIVIDER : rect.width;
	const items = servers.value?.items ?? [];
	const step = server === undefined ? '' : nextStep(server, items.length, isHighlightOpen);
	const about = server === undefined || detail > 0 || last !== null ? [] : aboutLines(server, known, step);
	const table = (
		<ServersView
			{...{servers, last, rows, view, filtering, elsewhere, connection, wait, cursor, focused, now}}
			columns={columns}
			total={total}
			about={about}
			market={rows.length > 0 ? null : marketOf(compute.value?.items)}
			idle={idleRows}
			limit={dailyLimit}
			waiting={waitLines(awaited, items, now)}
			width={width}
			height={rect.height}
		/>
	);
	if (detail === 0 || server === undefined) return table;
	return (
		<Box>
			<Box width={width} flexShrink={0}>
				{table}
			</Box>
			<Box width={1} flexShrink={0}>
				<Divider height={rect.height} isTop />
			</Box>
			<Box flexDirection="column">
				<Rows
					height={1}
					lines={[titleRule({left: ` ${label(server.name)} `, focused: false, width: detail + 1})]}
				/>
				<Box paddingLeft={1}>
					<Rows
						height={rect.height - 1}
						lines={['', ...detailLines(server, known, now, detail - 1, true), '', ...wrap(step, detail - 1)]}
					/>
				</Box>
			</Box>
		</Box>
	);
};
