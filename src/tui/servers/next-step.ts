// The next key for the highlighted server, for newcomers.
import {hostOf} from '../../query/own-hosts.ts';
import type {ServerItem} from '../../contract/servers.ts';
import {inState} from '../../text/known.ts';
import {label} from '../../text/safe.ts';
import {meaningOf} from '../../text/server-states.ts';
import {isKeyAvailable, keyFor} from '../core/keys/live-keys.ts';
import {paint} from '../core/theme/theme.ts';

const key = (entry: string): string => paint('accent', keyFor(entry));

/** Keys of the server's panes. */
const paneKeys = (): string =>
	[`${key('global.files')} Files`, `${key('global.repl')} REPL`, `${key('global.assistant')} Ask`].join(
		'   ',
	);

/**
 * Sentence or key hints. `count`: number of servers. `isOpen`: the user has opened the server in
 * spite of its state, or the server has responded.
 */
export const nextStep = (server: ServerItem, count: number, isOpen: boolean): string => {
	const {status} = server;
	const name = label(server.name, 40);
	if (status === 'ready' || (isOpen && hostOf(server) === null)) return paneKeys();
	if (status === 'offline')
		return isKeyAvailable('servers.start')
			? `Press ${key('servers.start')} to start ${name}${count === 1 ? `, then ${key('global.repl')} to run Python on it` : ''}`
			: `${name} is offline`;
	const meaning = meaningOf(status);
	const state = label(status, 20);
	if (hostOf(server) !== null && meaning !== 'ending') {
		const ends = isKeyAvailable('servers.shutDown')
			? [`${key('servers.shutDown')} ${meaning === 'coming' ? 'cancels the start' : 'shuts it down'}`]
			: [];
		const opens =
			status === 'locked' && isKeyAvailable('servers.signIn')
				? [`${key('servers.signIn')} signs in to its host`]
				: [];
		return `${name} is ${state}: ${[...opens, ...ends].join(', ')}`;
	}
	if (meaning === 'coming' || meaning === 'ending') return `${name} is ${state} …`;
	const said =
		status === '' ? `The service does not report the state of ${name}` : `${name} is ${inState(status)}`;
	const start = isKeyAvailable('servers.start') ? [`${key('servers.start')} starts it`] : [];
	const tries = `${key('global.files')} ${key('global.repl')} ${key('global.assistant')} and then ${key('offline.tryAnyway')} try it anyway`;
	return `${said}: ${(meaning === 'over' ? [...start, tries] : [tries, ...start]).join(', ')}`;
};
