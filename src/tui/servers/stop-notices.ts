import type {ServerItem} from '../../contract/servers.ts';
import {stopText, stopsSoon} from '../../query/limit-texts.ts';
import {label} from '../../text/safe.ts';
import type {Notice} from '../core/store/notices.ts';

const lineOf = (server: ServerItem, now: number): string =>
	`${label(server.name, 60)} ${stopText(server, now)}`;

/** Lines about servers that will stop soon. */
export const soonLines = (items: readonly ServerItem[], now: number): readonly string[] =>
	items.filter(stopsSoon).map(server => lineOf(server, now));

/** Notices that follow from a new list: servers that will stop soon, and servers that stopped. */
export const stopNotices = (
	before: readonly ServerItem[],
	items: readonly ServerItem[],
	now: number,
): readonly Pick<Notice, 'kind' | 'text'>[] => {
	const earlier = new Map(before.filter(stopsSoon).map(server => [server.name, server]));
	return items.flatMap((server): readonly Pick<Notice, 'kind' | 'text'>[] => {
		const was = earlier.get(server.name);
		const name = label(server.name, 60);
		if (stopsSoon(server) && was?.['stop_cause'] !== server['stop_cause'])
			return [{kind: 'info', text: lineOf(server, now)}];
		return was && server.status === 'offline' && typeof server['status_reason'] === 'string'
			? [{kind: 'bad', text: `${name}: ${label(server['status_reason'], 300)}`}]
			: [];
	});
};
