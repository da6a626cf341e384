import {label} from './safe.ts';

/** What a service did not say, or said in a way that cannot be read. */
export const UNKNOWN = '?';

/** A number as text; `?` for null and for NaN. */
export const numberText = (value: number | null | undefined): string =>
	value === null || value === undefined || Number.isNaN(value) ? UNKNOWN : String(value);

/** The text, `?` for an empty one. */
export const knownText = (text: string): string => (text === '' ? UNKNOWN : text);

/** The number, null for NaN. */
export const knownNumber = (value: number): number | null => (Number.isNaN(value) ? null : value);

/** A server's state as the end of a sentence that begins with its name and `is`. */
export const inState = (status: string): string =>
	status.trim() === '' ? 'in a state that the service does not tell' : label(status, 40);
