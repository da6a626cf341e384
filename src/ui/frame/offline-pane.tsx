import {Box, Text} from 'ink';
import Spinner from 'ink-spinner';
import {findServer} from '../../store/servers.ts';
import {label} from '../../text/safe.ts';
import {wrap} from '../../text/wrap.ts';
import {Rows} from '../components/rows.tsx';
import {useKeys} from '../keys/keys.tsx';
import {useApp, useGetState} from '../store-context.ts';
import {isAscii, paint} from '../theme/theme.ts';
import {askToStart} from '../screens/servers/ask-to-start.ts';
import type {Rect} from './layout.ts';

/** Stands in for the workspace while the current server cannot be worked on; says what to press. */
export const OfflinePane = ({rect}: {readonly rect: Rect}) => {
	const get = useGetState();
	const name = useApp(state => state.current);
	const server = useApp(state => findServer(state, state.current));
	const connection = useApp(state => state.connection);
	const serverName = paint('own', label(name ?? '', 60));
	useKeys('offline', {
		start: () => askToStart(get, findServer(get(), get().current)),
	});
	const starting = connection.status === 'connecting' || (server !== undefined && server.status !== 'offline');
	const lines = connection.status === 'failed' ? [paint('bad', label(connection.what, 300)), label(connection.next, 300)]
		: name === null ? ['No server is chosen yet.', `${paint('accent', '1')} shows your servers.`]
			: server?.status === 'offline' ? [`${serverName} is offline: its files, REPL and assistant need it running.`, `Press ${paint('accent', 's')} to start it.`]
				: server ? [`${serverName} is ${label(server.status, 20)} …`, paint('dim', 'This opens by itself when it is ready.')]
					: [`Asking the service about ${serverName} …`];
	return (
		<Box>
			<Rows height={rect.height} lines={['', ...lines.flatMap(line => wrap(line, rect.width - 7)).map(line => `     ${line}`)]}/>
			{starting && <Box position="absolute" top={1} left={3}><Text><Spinner type={isAscii() ? 'line' : 'dots'}/></Text></Box>}
		</Box>
	);
};
