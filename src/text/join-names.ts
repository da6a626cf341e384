import {label} from './safe.ts';

/** Joins the first names and the number of omitted ones. Empty if there are no names. */
export const joinNames = (names: readonly string[], most = 12): string => {
	const shown = names.slice(0, most).map(name => label(name, 40));
	const more = names.length - shown.length;
	return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
};
