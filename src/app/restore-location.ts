import {readIfValid, type ServiceStorage} from '../storage/service-storage.ts';
import {toCachedServers, parseCachedServers, type CachedServers} from '../tui/servers/cached-servers.ts';
import {locationOf, restoreLocation} from '../tui/core/store/location.ts';
import type {Store} from '../tui/core/program.ts';

/**
 * Saves at most a second after a change, because no typing is involved that a save could disturb.
 */
const PACE = {atLatest: 1000};

/** Writes a file. Disk errors are ignored, since the file is only a convenience. */
const writeQuietly = (keeper: ServiceStorage, file: string, value: object): void => {
	try {
		keeper.write(file, value);
	} catch {
		// The next start shows the server list.
	}
};

/** Saves the user's location on this service. `isComingBack`: restore the saved location first. */
export const autosaveLocation = (store: Store, keeper: ServiceStorage, isComingBack: boolean): void => {
	const file = keeper.fileOf('places');
	if (isComingBack)
		restoreLocation(
			store,
			readIfValid(file, json => json),
		);
	let written = isComingBack ? JSON.stringify(locationOf(store.getState())) : '';
	const {changed} = keeper.saver(() => {
		const place = locationOf(store.getState());
		const text = JSON.stringify(place);
		if (text === written) return;
		written = text;
		writeQuietly(keeper, file, place);
	}, PACE);
	store.subscribe(changed);
};

/** Last saved list of servers. Null if there is none, or if it is unreadable. */
export const lastServers = (keeper: ServiceStorage): CachedServers | null =>
	readIfValid(keeper.fileOf('lists'), parseCachedServers);

/** Saves the list of servers for the first frame of the next start. */
export const saveServers = (store: Store, keeper: ServiceStorage): void => {
	let written: number | undefined;
	const {changed} = keeper.saver(() => {
		const {value, at} = store.getState().servers;
		if (value === undefined || at === undefined || at === written) return;
		written = at;
		writeQuietly(keeper, keeper.fileOf('lists'), toCachedServers(value.items, at));
	}, PACE);
	store.subscribe(({servers}, previous) => {
		if (servers.value !== previous.servers.value) changed();
	});
};
