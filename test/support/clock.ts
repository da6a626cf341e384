/** A time of day as a pattern's source, with a date if the test runs shortly before midnight. */
export const CLOCK = String.raw`(?:\d{4}-\d\d-\d\d )?\d\d:\d\d`;
