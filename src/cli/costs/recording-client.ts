import type {Client, Listing} from '../../api/client-types.ts';
import type {ComputeOption} from '../../contract/compute.ts';
import {createdName} from '../../contract/names.ts';
import type {ServerItem, StartRequest} from '../../contract/servers.ts';
import {priceOf} from '../../query/offers.ts';
import type {StartupSettings} from '../../settings/startup-settings.ts';
import {openServiceStorage} from '../../storage/service-storage.ts';
import {snapshotOf} from '../../costs/observation-spans.ts';
import {openObservations} from '../../costs/observations.ts';
import {paths} from '../../machine/paths.ts';
import {openRateStorage, validRates} from '../../costs/reported-rates.ts';

/**
 * Wraps a client so that its lists of servers are recorded for daily costs. `end`: records the last
 * list.
 */
export const recordingClient = (
	client: Client,
	seen: StartupSettings,
): {readonly client: Client; readonly end: () => void} => {
	const keeper = openServiceStorage(paths().state, seen.service, seen);
	const looks = openObservations(keeper, seen.isByAddress ? '' : seen.facts.serviceName);
	const rates = openRateStorage(keeper);
	let offers: readonly ComputeOption[] | undefined;
	let last: {readonly list: Listing<ServerItem>; readonly at: number} | undefined;
	/** Records the last list. Called late, because prices may arrive after the list. */
	const noteLast = (): void => {
		if (last === undefined) return;
		const {list, at} = last;
		last = undefined;
		try {
			const held = validRates(rates, list.items, at);
			const rateOf = (server: ServerItem): number | null =>
				held.get(server.name)?.rate ?? priceOf(server.server_request, offers) ?? null;
			looks.note(snapshotOf(list.items, list.unreadable, rateOf), at);
		} catch {
			// After a disk error, the time counts as unobserved.
		}
	};
	const noteStart = (
		name: string,
		{server_request: compute}: StartRequest,
		rate: number | null,
		at: number,
	) => {
		try {
			looks.noteStart(name, rate ?? priceOf(compute, offers) ?? null, at);
		} catch {
			// After a disk error, the start is not recorded.
		}
	};
	return {
		client: {
			...client,
			async servers(options) {
				const reply = await client.servers(options);
				noteLast();
				if (reply.ok) last = {list: reply.value, at: Date.now()};
				return reply;
			},
			async createServer(request, options) {
				const at = Date.now();
				const reply = await client.createServer(request, options);
				if (reply.ok)
					noteStart(createdName(reply.value, request.server_name), request, reply.value.hourly_rate, at);
				return reply;
			},
			async startServer(name, request, options) {
				const at = Date.now();
				const reply = await client.startServer(name, request, options);
				if (reply.ok) noteStart(name, request, reply.value.hourly_rate, at);
				return reply;
			},
			async compute(options) {
				const reply = await client.compute(options);
				if (reply.ok) offers = reply.value.items;
				return reply;
			},
		},
		end() {
			noteLast();
			try {
				looks.flush();
			} catch {
				// After a disk error, the time counts as unobserved.
			}
		},
	};
};
