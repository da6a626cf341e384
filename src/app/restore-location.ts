import {peek, type Keeper} from '../storage/service-storage.ts';
import {lastOf, readLast, type LastServers} from '../tui/servers/cached-servers.ts';
import {placeOf, restorePlace} from '../tui/core/store/location.ts';
import type {Store} from '../tui/core/program.ts';

/** Nobody types here: a second after the first change it is on disk. */
const PACE = {atLatest: 1000};

/** Only a convenience: what the disk refuses is not reported. */
const writeQuietly = (keeper: Keeper, file: string, value: object): void => {
	try {
		keeper.write(file, value);
	} catch {
		// The next start begins at the servers.
	}
};

/** Saves where the user is on this service. `isComingBack`: first the store goes to where it was. */
export const savePlace = (store: Store, keeper: Keeper, isComingBack: boolean): void => {
	const file = keeper.fileOf('places');
	if (isComingBack)
		restorePlace(
			store,
			peek(file, json => json),
		);
	let written = isComingBack ? JSON.stringify(placeOf(store.getState())) : '';
	const {changed} = keeper.saver(() => {
		const place = placeOf(store.getState());
		const text = JSON.stringify(place);
		if (text === written) return;
		written = text;
		writeQuietly(keeper, file, place);
	}, PACE);
	store.subscribe(changed);
};

/** The list of servers as it was last, as far as it can be understood. */
export const lastServers = (keeper: Keeper): LastServers | null => peek(keeper.fileOf('lists'), readLast);

/** Saves the list of servers for the first frame of the next program. */
export const saveServers = (store: Store, keeper: Keeper): void => {
	let written: number | undefined;
	const {changed} = keeper.saver(() => {
		const {value, at} = store.getState().servers;
		if (value === undefined || at === undefined || at === written) return;
		written = at;
		writeQuietly(keeper, keeper.fileOf('lists'), lastOf(value.items, at));
	}, PACE);
	store.subscribe(({servers}, previous) => {
		if (servers.value !== previous.servers.value) changed();
	});
};
