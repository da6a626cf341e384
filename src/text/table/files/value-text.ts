/** Maximum length of a field's text, in UTF-16 units. */
const MOST_TEXT = 4000;
const MOST_BYTES = 32;

/** Shortest decimal text that identifies this 32-bit float. */
export const float32Text = (value: number): string => {
	if (!Number.isFinite(value)) return floatText(value);
	for (let digits = 6; digits < 9; digits++) {
		const text = Number(value.toPrecision(digits));
		if (Math.fround(text) === value) return String(text);
	}
	return String(Number(value.toPrecision(9)));
};

export const floatText = (value: number): string =>
	Number.isNaN(value) ? 'NaN' : value === Infinity ? 'inf' : value === -Infinity ? '-inf' : String(value);

const dateText = (date: Date): string =>
	Number.isNaN(date.getTime())
		? '?'
		: date
				.toISOString()
				.replace(/(?:T00:00:00)?\.000Z$/, '')
				.replace('T', ' ');

/** Date from a number in a unit shorter than a millisecond, with all its digits. */
export const finerDate = (value: bigint, perMs: bigint, digits: number): string => {
	const rest = ((value % perMs) + perMs) % perMs;
	const date = new Date(Number((value - rest) / perMs));
	if (Number.isNaN(date.getTime())) return String(value);
	return date.toISOString().slice(0, -1).replace('T', ' ') + String(rest).padStart(digits, '0');
};

const plain = (value: unknown): unknown => {
	if (typeof value === 'bigint') return String(value);
	if (value instanceof Date) return dateText(value);
	if (value instanceof Uint8Array) return bytesText(value);
	return value;
};

const bytesText = (bytes: Uint8Array): string => {
	const hex = Buffer.from(bytes.subarray(0, MOST_BYTES)).toString('hex');
	return `0x${hex}${bytes.length > MOST_BYTES ? '…' : ''}`;
};

/** Text of a field's value. Empty if the value is missing. */
export const valueText = (value: unknown): string => {
	if (value === null || value === undefined) return '';
	if (typeof value === 'number') return floatText(value);
	const simple = plain(value);
	const text =
		typeof simple === 'object' ? JSON.stringify(simple, (_, each: unknown) => plain(each)) : String(simple);
	return text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}…` : text;
};
