/** A size in a sentence, for example `12.3 MB`. */
export const megabytes = (bytes: number): string =>
	bytes === 0
		? '0 kB'
		: bytes < 100_000
			? `${(bytes / 1000).toFixed(1)} kB`
			: `${(bytes / 1_000_000).toFixed(1)} MB`;
