import {readPlace, writePlace} from './settings/place-file.ts';
import {placeOf, restorePlace} from './store/place.ts';
import type {Store} from './store/store.ts';

const AFTER_MS = 1000;

/** Where the user is on this service, on disk: a second after it changes, and when asked. `isComingBack`: first the store goes to where it was. */
export const keepPlace = (store: Store, service: string, isComingBack: boolean): {save(): void; stop(): void} => {
	if (isComingBack) restorePlace(store, readPlace(service));
	let written = isComingBack ? JSON.stringify(placeOf(store.getState())) : '';
	let timer: NodeJS.Timeout | undefined;
	const save = (): void => {
		const place = placeOf(store.getState());
		const text = JSON.stringify(place);
		if (text === written) return;
		written = text;
		writePlace(service, place);
	};
	const unsubscribe = store.subscribe(() => {
		timer ??= setTimeout(() => {
			timer = undefined;
			save();
		}, AFTER_MS);
	});
	return {
		save,
		stop() {
			unsubscribe();
			clearTimeout(timer);
		},
	};
};
