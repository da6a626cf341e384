import {
	ADDRESSES,
	addressOf,
	tokenAddress,
	addressError,
	type AddressName,
} from '../../../query/server-addresses.ts';
import type {Dialog, State} from '../../core/program.ts';
import type {KeyContext} from '../../core/feature.ts';
import type {KeyScope} from '../../core/keys/action.ts';
import {topDialog, route} from '../../core/store/route.ts';
import {findServer} from '../servers.ts';
import {label} from '../../../text/safe.ts';
import {maskToken} from '../../../text/token.ts';
import {wrap} from '../../../text/width/wrap.ts';
import {SelectList, selectKeys} from '../../core/components/select-list.tsx';
import type {Rect} from '../../core/frame/layout.ts';
import {ADDRESS_NAMES} from '../detail.ts';
import {useApp, useGetState} from '../../core/store-context.ts';
import {glyph} from '../../core/theme/glyphs.ts';
import {paint} from '../../core/theme/theme.ts';
import {DialogBox, lineWidth, widthFor} from '../../core/dialogs/dialog-box.tsx';
import {serverAddresses} from '../addresses.ts';

const WIDTH = 130;
const HEAD = 11;
/** Cells of a row beside its text, for the selection mark. */
const BESIDE = 2;
const LONGEST = 600;

const openAt = (state: State) => {
	const {server: name = '', at = 'url'} = topDialog(state, 'addresses') ?? {};
	return {name, at, server: findServer(state, name)};
};
/** Moves the selection, but not past the end: the list itself would wrap around. */
const move =
	(key: 'up' | 'down', end: AddressName | undefined) =>
	(context: KeyContext): void => {
		const {at, server} = openAt(context.get());
		if (server !== undefined && at !== end) selectKeys(context)[key]();
	};
/** Null if there is no address, or no token, that a key could act on. */
const use = ({get}: KeyContext, needsToken = false): null | undefined => {
	const {server, at} = openAt(get());
	const address = server === undefined ? null : addressOf(server, at);
	return server === undefined ||
		address === null ||
		addressError(address) !== undefined ||
		(needsToken && tokenAddress(server, at) === null)
		? null
		: undefined;
};
const copy =
	(withToken: boolean) =>
	({get}: KeyContext) => {
		const {name, at} = openAt(get());
		return serverAddresses(get).copyAddress(name, at, withToken);
	};

export const addressKeys: KeyScope = {
	where: 'addresses',
	isDialog: true,
	actions: {
		up: {keys: ['up', 'k'], label: 'Move up', run: move('up', ADDRESSES[0])},
		down: {keys: ['down', 'j'], label: 'Move down', run: move('down', ADDRESSES.at(-1))},
		open: {
			keys: ['enter', 'o'],
			label: 'open',
			hint: true,
			now: at => use(at),
			run({get}) {
				const {name, at, server} = openAt(get());
				if (server === undefined) return `${label(name, 40)} is no longer in the list`;
				void serverAddresses(get).openAddress(name, at);
			},
		},
		copy: {keys: ['y'], label: 'copy', hint: true, now: at => use(at), run: copy(false)},
		copyWithToken: {
			keys: ['Y'],
			label: 'copy with the token',
			hint: true,
			now: at => use(at, true),
			run: copy(true),
		},
		close: {keys: ['esc', 'q'], label: 'close', run: ({get}) => route(get).closeDialog()},
	},
};

/**
 * The addresses of a server, to open in the browser or to copy. They are shown in full, so that
 * users can select them without a browser.
 */
export const AddressesDialog = ({
	server: name,
	at,
	body,
}: Omit<Extract<Dialog, {kind: 'addresses'}>, 'kind'> & {readonly body: Rect}) => {
	const get = useGetState();
	const server = useApp(state => findServer(state, name));
	const title = `Addresses of ${label(name)}`;
	const most = lineWidth(body, WIDTH);
	const items =
		server === undefined
			? []
			: ADDRESSES.map(each => {
					const address = addressOf(server, each);
					const why = addressError(address);
					const text =
						address === null || address === ''
							? `${glyph.none} ${why}`
							: why === undefined
								? label(maskToken(address, server.token), LONGEST)
								: `${label(maskToken(address, server.token), LONGEST)}: ${why}`;
					const [first = '', ...more] = wrap(text, most - HEAD - BESIDE);
					return {
						value: each,
						lines: [
							`${paint(each === at ? 'own' : 'dim', ADDRESS_NAMES[each].padEnd(HEAD))}${first}`,
							...more.map(line => `${' '.repeat(HEAD)}${line}`),
						],
					};
				});
	const lines = server === undefined ? [paint('bad', 'This server is no longer in the list.')] : [];
	const width = widthFor(title, [...lines, ...items.flatMap(item => item.lines)], WIDTH, BESIDE);
	return (
		<DialogBox
			title={title}
			body={body}
			width={width}
			lines={lines}
			rows={items.flatMap(item => item.lines).length}
		>
			<SelectList
				items={items}
				at={at}
				width={lineWidth(body, width)}
				onHighlight={to => route(get).changeDialog({kind: 'addresses', server: name, at: to})}
				onSelect={value => void serverAddresses(get).openAddress(name, value)}
			/>
		</DialogBox>
	);
};
