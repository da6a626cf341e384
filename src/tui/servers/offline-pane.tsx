import {Box, Text} from 'ink';
import Spinner from 'ink-spinner';
import {findServer, notListedText} from './servers.ts';
import {inState} from '../../text/known.ts';
import {label} from '../../text/safe.ts';
import {useMarkdown} from '../core/components/markdown.ts';
import {paneRule, titleRule} from '../core/components/pane-title.ts';
import {scrollText, withScrollMark} from '../core/components/position.ts';
import {asking, failureBelowRows, isFailing} from '../core/components/remote-line.ts';
import {Rows} from '../core/components/rows.tsx';
import {windowOf} from '../core/components/transcript.ts';
import {keyOf} from '../core/keys/live-keys.ts';
import {useApp, useFields, useGetState} from '../core/store-context.ts';
import {isAscii, paint} from '../core/theme/theme.ts';
import {showKey} from '../core/frame/footer.ts';
import {screenSpec} from '../core/features.ts';
import type {Rect} from '../core/frame/layout.ts';
import {closedLines, offlineContentIn, standInRows, tryLines} from './offline-content.ts';

/** First row of the visible pane. */
const useTitle = (width: number): string => {
	const screen = useApp(state => state.screen);
	return titleRule({left: ` ${screenSpec(screen).title} `, focused: true, width});
};

/** A server with closed panes: its state, and its saved content for the visible pane. */
const ClosedServer = ({rect, lines}: {readonly rect: Rect; readonly lines: readonly string[]}) => {
	const get = useGetState();
	// Uses the whole state, because the saved content of each pane is in a different part of it.
	useApp(state => state);
	useMarkdown();
	const kept = offlineContentIn(get, rect);
	const title = useTitle(rect.width);
	if (kept === null) return <Rows height={rect.height} lines={[title, '', ...lines]} />;
	const {blocks, top, place, words} = kept;
	const {lines: rows, from, below} = windowOf(blocks, top, place.height);
	const count = from + rows.length + below;
	const position = scrollText(from, place.height, count);
	const rule = paneRule(` ${paint('dim', `saved here: ${words}`)} `, rect.width, position);
	const shown = withScrollMark(rows, {from, height: place.height, count, width: rect.width});
	return <Rows height={rect.height} lines={[title, '', ...lines, '', rule, ...shown]} />;
};

/** Replaces the workspace while the current server is not usable, and shows the keys to press. */
export const OfflinePane = ({rect}: {readonly rect: Rect}) => {
	const get = useGetState();
	const state = useFields(
		'current',
		'servers',
		'awaited',
		'tried',
		'answering',
		'rebound',
		'readOnly',
		'connection',
	);
	const {current: name, servers, rebound, connection} = state;
	const title = useTitle(rect.width);
	const closed = closedLines(get(), rect.width);
	if (closed !== null) return <ClosedServer rect={rect} lines={closed} />;
	const server = findServer(state, name);
	const serverName = paint('own', label(name ?? '', 60));
	const starting = connection.status === 'connecting' || server !== undefined;
	const toServers = `${paint('accent', showKey(keyOf({rebound}, 'global', 'servers')))} shows your servers.`;
	const wrong = failureBelowRows(servers, connection, {width: rect.width - 2});
	const stateLines =
		connection.status === 'failed'
			? []
			: name === null
				? servers.value === undefined
					? isFailing(servers)
						? []
						: [asking('the service', 'for your servers')]
					: ['No server is selected yet.', toServers]
				: server
					? [
							`${serverName} is ${inState(server.status)} …`,
							paint('dim', 'Opens automatically when ready. Text typed until then is held.'),
							...tryLines(get(), server),
						]
					: isFailing(servers)
						? []
						: servers.status === 'ready'
							? [`${notListedText(state, serverName)}.`, toServers]
							: [asking('the service', `about ${serverName}`)];
	return (
		<Box>
			<Rows height={rect.height} lines={[title, '', ...standInRows(stateLines, wrong, rect.width)]} />
			{starting && (
				<Box position="absolute" top={2} left={3}>
					<Text>
						<Spinner type={isAscii() ? 'line' : 'dots'} />
					</Text>
				</Box>
			)}
		</Box>
	);
};
