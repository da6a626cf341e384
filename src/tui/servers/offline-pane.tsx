import {Box, Text} from 'ink';
import Spinner from 'ink-spinner';
import {findServer, notListed} from './slice.ts';
import {label} from '../../text/safe.ts';
import {wrap} from '../../text/width/wrap.ts';
import {asking, belowRows, isFailing} from '../core/components/remote-line.ts';
import {Rows} from '../core/components/rows.tsx';
import {keyOf} from '../core/keys/live-keys.ts';
import {useFields} from '../core/store-context.ts';
import {isAscii, paint} from '../core/theme/theme.ts';
import {showKey} from '../core/frame/footer.ts';
import type {Rect} from '../core/frame/layout.ts';

/** Stands in for the workspace while the current server cannot be worked on; says what to press. */
export const OfflinePane = ({rect}: {readonly rect: Rect}) => {
	const state = useFields('current', 'servers', 'rebound', 'readOnly', 'connection');
	const {current: name, servers, rebound, readOnly, connection} = state;
	const server = findServer(state, name);
	const serverName = paint('own', label(name ?? '', 60));
	const starting =
		connection.status === 'connecting' || (server !== undefined && server.status !== 'offline');
	const toServers = `${paint('accent', showKey(keyOf({rebound}, 'global', 'servers')))} shows your servers.`;
	const toStart = readOnly
		? 'This profile is read-only: it cannot be started from here.'
		: `Press ${paint('accent', showKey(keyOf({rebound}, 'offline', 'start')))} to start it.`;
	const wrong = belowRows(servers, connection, rect.width - 2);
	const stateLines =
		connection.status === 'failed'
			? []
			: name === null
				? servers.value === undefined
					? isFailing(servers)
						? []
						: [asking('the service', 'for your servers')]
					: ['No server is chosen yet.', toServers]
				: server?.status === 'offline'
					? [
							`${serverName} is offline: its files, REPL and assistant need it running.`,
							...(typeof server['status_reason'] === 'string' ? [label(server['status_reason'], 400)] : []),
							toStart,
						]
					: server
						? [
								`${serverName} is ${label(server.status, 20)} …`,
								paint('dim', 'This opens by itself when it is ready. What you type until then waits.'),
							]
						: isFailing(servers)
							? []
							: servers.status === 'ready'
								? [`${notListed(state, serverName)}.`, toServers]
								: [asking('the service', `about ${serverName}`)];
	const lines = [
		...stateLines.flatMap(line => wrap(line, rect.width - 7)).map(line => `     ${line}`),
		...(stateLines.length > 0 && wrong.length > 0 ? [''] : []),
		...wrong.map(line => `  ${line}`),
	];
	return (
		<Box>
			<Rows height={rect.height} lines={['', ...lines]} />
			{starting && (
				<Box position="absolute" top={1} left={3}>
					<Text>
						<Spinner type={isAscii() ? 'line' : 'dots'} />
					</Text>
				</Box>
			)}
		</Box>
	);
};
