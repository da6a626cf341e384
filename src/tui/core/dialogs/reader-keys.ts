import type {Dialog, State} from '../program.ts';
import {topDialog} from '../store/route.ts';
import {scrolledKeys} from './scrolled.ts';

/** A dialog whose rows scroll; `top` is the first that is shown. */
type Scrolled = Extract<Dialog, {readonly top?: number}>;

/** The keys that scroll the topmost dialog and close it. `measure` tells how many rows it has, and for how many there is room. */
export const readerKeys = <Kind extends Scrolled['kind']>(
	get: () => State,
	kind: Kind,
	measure: (dialog: Extract<Scrolled, {readonly kind: Kind}>) => {
		readonly count: number;
		readonly room: number;
	},
) => {
	const open = () => topDialog(get(), kind) as Extract<Scrolled, {readonly kind: Kind}> | undefined;
	const dialog = open();
	const {count, room} = dialog ? measure(dialog) : {count: 0, room: 1};
	return {
		...scrolledKeys(
			() => open()?.top,
			count,
			room,
			top => dialog && get().changeDialog({...dialog, top}),
		),
		close: () => get().closeDialog(),
	};
};
