import {ADDRESSES, addressOf, whyNotOpen, type AddressName} from '../../query/addresses.ts';
import type {Dialog} from '../../store/route.ts';
import {findServer} from '../../store/servers.ts';
import {label} from '../../text/safe.ts';
import {maskToken} from '../../text/token.ts';
import {wrap} from '../../text/wrap.ts';
import {clamp} from '../components/scroll.ts';
import type {Rect} from '../frame/layout.ts';
import {useKeys} from '../keys/keys.tsx';
import {ADDRESS_NAMES} from '../screens/servers/server-detail.ts';
import {useApp, useGetState} from '../store-context.ts';
import {glyph} from '../theme/glyphs.ts';
import {paint} from '../theme/theme.ts';
import {DialogBox} from './dialog-box.tsx';

const WIDTH = 96;
const HEAD = 11;
const LONGEST = 600;

/** The addresses of a server, to open in the browser or to copy; they are whole here, so that they can be marked where there is no browser. */
export const AddressesDialog = ({server: name, at, body}: Omit<Extract<Dialog, {kind: 'addresses'}>, 'kind'> & {readonly body: Rect}) => {
	const get = useGetState();
	const server = useApp(state => findServer(state, name));
	const latest = (): AddressName => {
		const dialog = get().dialogs.at(-1);
		return dialog?.kind === 'addresses' ? dialog.at : at;
	};
	const move = (by: number) => (): void =>
		get().changeDialog({kind: 'addresses', server: name, at: ADDRESSES[clamp(ADDRESSES.indexOf(latest()) + by, 0, ADDRESSES.length - 1)] ?? 'url'});
	useKeys('addresses', {
		up: move(-1),
		down: move(1),
		open() {
			void get().openAddress(name, latest());
		},
		copy: () => get().copyAddress(name, latest(), false),
		copyWithToken: () => get().copyAddress(name, latest(), true),
		close: () => get().closeDialog(),
	});
	const width = Math.min(WIDTH, body.width - 4) - 4;
	const lines = server === undefined ? [paint('bad', 'This server is gone from the list.')] : ADDRESSES.flatMap(each => {
		const address = addressOf(server, each);
		const why = whyNotOpen(address);
		const text = address === null || address === '' ? `${glyph.none} ${why}` : why === undefined ? label(maskToken(address, server.token), LONGEST) : `${label(maskToken(address, server.token), LONGEST)}: ${why}`;
		const [first = '', ...more] = wrap(text, width - HEAD - 2);
		const here = each === at;
		return [`${here ? paint('accent', glyph.cursor) : ' '} ${paint(here ? 'own' : 'dim', ADDRESS_NAMES[each].padEnd(HEAD))}${first}`, ...more.map(line => `${' '.repeat(HEAD + 2)}${line}`)];
	});
	const key = (name: string, what: string): string => `${paint('accent', name)} ${what}`;
	return (
		<DialogBox title={`Addresses of ${label(name, 40)}`} body={body} width={WIDTH} lines={[
			'', ...lines, '', `  ${[key('⏎', 'open in the browser'), key('y', 'copy'), ...(server?.token ? [key('Y', 'copy with the token')] : []), key('esc', 'close')].join('   ')}`,
		]}/>
	);
};
