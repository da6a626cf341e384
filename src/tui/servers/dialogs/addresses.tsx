import {
	ADDRESSES,
	addressOf,
	tokenAddress,
	addressError,
	type AddressName,
} from '../../../query/server-addresses.ts';
import type {ServerItem} from '../../../contract/servers.ts';
import type {Dialog} from '../../core/program.ts';
import type {KeyHandlers} from '../../core/feature.ts';
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
/** Cells of a row for the selection mark. */
const BESIDE = 2;
const LONGEST = 600;

export const addresses: KeyHandlers<'addresses'> = keys => {
	const {get} = keys;
	const list = selectKeys(keys);
	const name = topDialog(get(), 'addresses')?.server ?? '';
	const isGone = (): boolean => findServer(get(), name) === undefined;
	const at = (): AddressName => topDialog(get(), 'addresses')?.at ?? 'url';
	return {
		// The list itself would wrap around at its ends.
		up: () => (isGone() || at() === ADDRESSES[0] ? undefined : list.up()),
		down: () => (isGone() || at() === ADDRESSES.at(-1) ? undefined : list.down()),
		open: () =>
			isGone()
				? `${label(name, 40)} is no longer in the list`
				: void serverAddresses(get).openAddress(name, at()),
		copy: () => serverAddresses(get).copyAddress(name, at(), false),
		copyWithToken: () => serverAddresses(get).copyAddress(name, at(), true),
		close: () => route(get).closeDialog(),
	};
};

/** Null for a key without an address, or without a token, to act on. */
export const addressKeyLabel = (
	server: ServerItem | undefined,
	at: AddressName,
	action: string,
): null | undefined => {
	if (action === 'close') return undefined;
	const address = server === undefined ? null : addressOf(server, at);
	const hasNone =
		address === null ||
		addressError(address) !== undefined ||
		(action === 'copyWithToken' && (server === undefined || tokenAddress(server, at) === null));
	return hasNone ? null : undefined;
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
