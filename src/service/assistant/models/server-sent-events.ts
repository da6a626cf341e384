/** Characters. */
const LONGEST = 1 << 20;

/** An event was larger than 1 Mi characters: reading stopped. */
export class EventTooLargeError extends Error {}

/** The `data` of each server-sent event (WHATWG HTML, 9.2.6), from pieces cut anywhere; comments and other fields are left out. @throws {EventTooLargeError} */
export async function* eventData(pieces: AsyncIterable<string>): AsyncGenerator<string> {
	let rest = '';
	let data: string[] = [];
	let size = 0;
	for await (const piece of pieces) {
		// A CR at the end may be the first half of a line end.
		const lines = (rest + piece).split(/\r\n|\n|\r(?!$)/);
		rest = lines.pop() ?? '';
		for (const line of lines) {
			if (line === '') {
				if (data.length > 0) yield data.join('\n');
				data = [];
				size = 0;
			} else if (line.startsWith('data:')) {
				data.push(line.slice(5).replace(/^ /, ''));
				size += line.length;
			}
		}
		if (rest.length + size > LONGEST) throw new EventTooLargeError();
	}
	// A server that leaves out the last empty line has said it all the same.
	if (rest.startsWith('data:')) data.push(rest.slice(5).trim());
	if (data.length > 0) yield data.join('\n');
}
