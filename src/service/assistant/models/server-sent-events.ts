import {createParser} from 'eventsource-parser';

/** Characters. */
const LONGEST = 1 << 20;

/** An event was larger than 1 Mi characters: reading stopped. */
export class EventTooLargeError extends Error {}

/** The `data` of each server-sent event (WHATWG HTML, 9.2.6), from pieces cut anywhere; comments and other fields are left out. @throws {EventTooLargeError} */
export async function* eventData(pieces: AsyncIterable<string>): AsyncGenerator<string> {
	let come: string[] = [];
	let isTooLarge = false;
	const parser = createParser({
		maxBufferSize: LONGEST,
		onEvent: ({data}) => come.push(data),
		onError: ({type}) => (isTooLarge ||= type === 'max-buffer-size-exceeded'),
	});
	const read = function* (piece: string): Generator<string> {
		come = [];
		parser.feed(piece);
		yield* come;
		if (isTooLarge) throw new EventTooLargeError();
	};
	for await (const piece of pieces) yield* read(piece);
	// A server that leaves out the last empty line has said it all the same.
	yield* read('\n\n');
}
