import {keyFor} from '../../text/key-name.ts';
import {label} from '../../text/safe.ts';
import {withoutToken} from '../../text/token.ts';
import {
	addressOf,
	openingAddress,
	tokenAddress,
	addressError,
	type AddressName,
} from '../../query/server-addresses.ts';
import {findServer} from './servers.ts';
import {storageErrorText} from '../../machine/disk-fault.ts';
import {part, type App} from '../core/app.ts';
import {notices} from '../core/store/notices.ts';
import {clipboard} from '../core/store/clipboard.ts';

export type ServerAddresses = {
	/** Opens an address of a server in the local browser and reports the outcome. */
	openAddress(server: string, name: AddressName): Promise<void>;
	/** Copies an address, without its token unless requested. Returns the reason if it cannot. */
	copyAddress(server: string, name: AddressName, token: boolean): string | void;
};

const WHAT: Readonly<Record<AddressName, string>> = {
	url: 'page',
	editor: 'editor',
	forward: 'forward address',
};

export const serverAddresses = part('serverAddresses', ({get, deps: {open}}: App): ServerAddresses => {
	const find = (
		server: string,
		name: AddressName,
	): {readonly address: string; readonly whole: string | null; readonly token: string | null} | string => {
		const found = findServer(get(), server);
		if (found === undefined) return `${label(server)} is no longer in the list`;
		const address = addressOf(found, name);
		const why = addressError(address);
		return why === undefined && address !== null
			? {
					address: openingAddress(found, name, false) ?? address,
					whole: tokenAddress(found, name),
					token: found.token ?? null,
				}
			: `The ${WHAT[name]} of ${label(server)}: ${why}`;
	};
	return {
		async openAddress(server, name) {
			const found = find(server, name);
			if (typeof found === 'string') return notices(get).notify('info', found);
			let isOpened: boolean;
			try {
				isOpened = await open(found.address, found.token);
			} catch (error) {
				return notices(get).notify(
					'bad',
					`The ${WHAT[name]} of ${label(server)} cannot be opened in the browser: ${storageErrorText(error)}`,
				);
			}
			if (isOpened)
				notices(get).notify('info', `The ${WHAT[name]} of ${label(server)} was opened in your browser`);
			else
				notices(get).notify(
					'info',
					`No browser found: ${keyFor('servers.copy')} copies the address${found.whole === null ? '' : `, ${keyFor('servers.copyWithToken')} with its token`}`,
				);
		},
		copyAddress(server, name, token) {
			const found = find(server, name);
			if (typeof found === 'string') return found;
			const {address, whole} = found;
			if (token && whole === null)
				return `${label(server)} has no token for its ${WHAT[name]}; ${keyFor('servers.copy')} copies the address`;
			return clipboard(get).copy(
				token && whole !== null ? whole : withoutToken(address, found.token),
				`The address${token ? ' with its token' : whole === null ? '' : ' without its token'}`,
				token,
			);
		},
	};
});
