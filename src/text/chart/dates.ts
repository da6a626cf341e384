const DATE =
	/^(?<year>\d{4})[-/](?<month>\d{1,2})[-/](?<day>\d{1,2})(?:[T ](?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2}(?:\.\d+)?))?)?\s?(?:Z|UTC|[+-]\d{2}:?\d{2})?$/;

/** Milliseconds of a date as its clock shows it, without its time zone. NaN for other texts. */
export const dateNumber = (text: string): number => {
	const found = text.length < 50 ? DATE.exec(text.trim())?.groups : undefined;
	if (found === undefined) return Number.NaN;
	const {year, month, day, hour = '0', minute = '0', second = '0'} = found;
	const date = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute));
	return Number(month) < 1 || Number(month) > 12 || Number(day) < 1 || Number(day) > 31
		? Number.NaN
		: date + Number(second) * 1000;
};
