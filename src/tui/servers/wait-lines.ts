import {PENDING} from '../../contract/names.ts';
import type {ServerItem} from '../../contract/servers.ts';
import type {PendingStart} from './servers.ts';
import {label} from '../../text/safe.ts';
import {durationText} from '../core/components/age.ts';
import {paint} from '../core/theme/theme.ts';
import {stateText} from './state.ts';

const SHOWN = 3;

/** The word `asked`, then each state with the time after which it was first seen. */
export const statesSeen = ({since, seen}: PendingStart): string =>
	[
		'asked',
		...seen.map(({status, at}) => `${label(status, 20)} after ${durationText(Math.max(0, at - since))}`),
	].join(', ');

/** Rows of pending starts: duration, the states seen, and whether the address is missing. */
export const waitLines = (
	awaited: ReadonlyMap<string, PendingStart>,
	items: readonly ServerItem[],
	now: number,
): readonly string[] => {
	const waits = [...awaited];
	const lines = waits.slice(0, SHOWN).map(([name, wait]) => {
		const server = items.find(each => each.name === name);
		const address = server?.port_forward_url === PENDING ? ', forward pending' : '';
		const elapsed = Math.max(0, now - wait.since);
		const took = elapsed < 10_000 ? `${Math.floor(elapsed / 1000)} s` : durationText(elapsed);
		return `   ${paint('own', label(name, 40))} ${server ? stateText(server.status) : paint('busy', 'not listed yet')} ${took}   ${paint('dim', `${statesSeen(wait)}${address}`)}`;
	});
	const more = waits.length - lines.length;
	return [...lines, ...(more > 0 ? [paint('dim', `   and ${more} more`)] : [])];
};
