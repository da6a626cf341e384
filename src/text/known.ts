import {label} from './safe.ts';

/** Displayed for a value that the service did not send, or sent in an unreadable form. */
export const UNKNOWN = '?';

/** A number as text; `?` for null, undefined and NaN. */
export const numberText = (value: number | null | undefined): string =>
	value === null || value === undefined || Number.isNaN(value) ? UNKNOWN : String(value);

export const knownText = (text: string): string => (text === '' ? UNKNOWN : text);

export const knownNumber = (value: number): number | null => (Number.isNaN(value) ? null : value);

/** Server state as text that follows `NAME is` in a sentence. */
export const inState = (status: string): string =>
	status.trim() === '' ? 'in an unknown state' : label(status, 40);
