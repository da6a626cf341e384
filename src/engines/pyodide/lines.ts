const NEWLINE = 10;

export type LineReader = {
	onLine(line: string): void;
	/** Bytes of a line. */
	readonly limit: number;
	/** Called once, for a line above the limit; nothing is kept or read after it. */
	onTooLong(): void;
};

/** Calls back with each line; the lines are JSON, whose strings may hold other line ends (U+2028), so that `readline` would cut them. */
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
