import {label} from './safe.ts';

/** The first names, and the number of those left out. Empty if there are none. */
export const joinNames = (names: readonly string[], most = 12): string => {
	const shown = names.slice(0, most).map(name => label(name, 40));
	const more = names.length - shown.length;
	return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
};
