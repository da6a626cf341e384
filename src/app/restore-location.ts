import {readIfValid, type ServiceStorage} from '../storage/service-storage.ts';
import {toCachedServers, parseCachedServers, type CachedServers} from '../tui/servers/cached-servers.ts';
import {locationOf, restoreLocation} from '../tui/core/store/location.ts';
import type {Store} from '../tui/core/program.ts';

/** Nobody types here: a second after the first change it is on disk. */
const PACE = {atLatest: 1000};

/** Only a convenience: what the disk refuses is not reported. */
const writeQuietly = (keeper: ServiceStorage, file: string, value: object): void => {
	try {
		keeper.write(file, value);
	} catch {
		// The next start begins at the servers.
	}
};

/** Saves where the user is on this service. `isComingBack`: first the store goes to where it was. */
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

/** The list of servers as it was last, as far as it can be understood. */
export const lastServers = (keeper: ServiceStorage): CachedServers | null =>
	readIfValid(keeper.fileOf('lists'), parseCachedServers);

/** Saves the list of servers for the first frame of the next program. */
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
