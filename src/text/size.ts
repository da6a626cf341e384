/** Size for use in a sentence, such as `12.3 MB`. */
export const megabytes = (bytes: number): string =>
	bytes === 0
		? '0 kB'
		: bytes < 100_000
			? `${(bytes / 1000).toFixed(1)} kB`
			: `${(bytes / 1_000_000).toFixed(1)} MB`;

/** Size for use in a column. Bytes have no unit but two spaces, so that the numbers are aligned. */
export const sizeText = (bytes: number): string => {
	if (bytes < 1000) return `${bytes}  `;
	const units = ['K', 'M', 'G', 'T'];
	let value = bytes / 1000;
	let unit = 0;
	while (value >= 999.95 && unit < units.length - 1) {
		value /= 1000;
		unit++;
	}
	return `${value.toFixed(1)} ${units[unit]}`;
};

/** Size for use in a sentence, with the same rounding as in a column. */
export const bytesText = (bytes: number): string => (bytes < 1000 ? `${bytes} B` : sizeText(bytes));
