const NEWLINE = 10;

export type LineReader = {
	onLine(line: string): void;
	/** Maximum length of a line in bytes. */
	readonly limit: number;
	/** Called once, for the first line above the limit. Later lines are not read. */
	onTooLong(): void;
};

/**
 * Splits JSON lines. `readline` cannot be used, because it also splits at U+2028, which JSON
 * strings may contain.
 */
export const splitLines = ({onLine, limit, onTooLong}: LineReader): ((chunk: Buffer) => void) => {
	let rest: Buffer[] = [];
	let length = 0;
	let isOver = false;
	return chunk => {
		if (isOver) return;
		let start = 0;
		for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
			const piece = chunk.subarray(start, end);
			onLine(rest.length === 0 ? piece.toString() : Buffer.concat([...rest, piece]).toString());
			rest = [];
			length = 0;
			start = end + 1;
		}
		if (start === chunk.length) return;
		rest.push(chunk.subarray(start));
		length += chunk.length - start;
		if (length <= limit) return;
		rest = [];
		isOver = true;
		onTooLong();
	};
};
