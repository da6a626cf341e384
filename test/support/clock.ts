/**
 * Source of a pattern for a time of day. If a test runs shortly before midnight, the time includes
 * a date.
 */
export const CLOCK = String.raw`(?:\d{4}-\d\d-\d\d )?\d\d:\d\d`;
