import {findServer} from '../../store/servers.ts';
import {label} from '../../text/safe.ts';
import type {Rect} from '../frame/layout.ts';
import {useKeys} from '../keys/keys.tsx';
import {rateOfServer} from '../screens/servers/servers-screen.tsx';
import {useApp, useGetState} from '../store-context.ts';
import {glyph} from '../theme/glyphs.ts';
import {paint} from '../theme/theme.ts';
import {DialogBox} from './dialog-box.tsx';

/** Asks before a server is started, since it may cost money: another key than the one that asked confirms. */
export const ConfirmStart = ({name, body}: {readonly name: string; readonly body: Rect}) => {
	const get = useGetState();
	const server = useApp(state => findServer(state, name));
	const rates = useApp(state => state.rates);
	const compute = useApp(state => state.compute);
	useKeys('confirm', {
		yes() {
			get().closeDialog();
			if (server === undefined) return 'This server is gone from the list';
			void get().startServer(server);
		},
		no: () => get().closeDialog(),
	});
	const rate = server ? rateOfServer({rates, compute}, server) : undefined;
	const row = (head: string, value: string): string => `${paint('dim', head.padEnd(13))}${value}`;
	return (
		<DialogBox title={`Start ${label(name, 40)}?`} body={body} width={60} lines={[
			'',
			row('environment', label(server?.environment ?? '')),
			row('compute', label(server?.server_request ?? '')),
			row('port', String(server?.port ?? '')),
			row('rate', rate === undefined ? `${glyph.none} (the catalogue does not say)` : `${rate.toFixed(2)} /h`),
			'',
			`${paint('accent', 'y')} start   ${paint('accent', 'esc')} leave it offline`,
		]}/>
	);
};
