import {isRawJSON} from './exact-json.ts';
import {textPieces} from './output/text-pieces.ts';

/** Size of a piece, in UTF-16 units. */
const PIECE = 1 << 16;

/**
 * Yields a JSON string in pieces. If a cut separates two surrogates, JSON.stringify writes two
 * escapes, which together mean the same character.
 */
function* quoted(texts: Iterable<string>): Generator<string> {
	yield '"';
	for (const text of texts)
		for (let at = 0; at < text.length; at += PIECE)
			yield JSON.stringify(text.slice(at, at + PIECE)).slice(1, -1);
	yield '"';
}

const isOpen = (value: object): value is Readonly<Record<string, unknown>> =>
	!('toJSON' in value && typeof value.toJSON === 'function') && !isRawJSON(value);

function* parts(value: unknown): Generator<string> {
	if (typeof value === 'string' && value.length > PIECE) yield* quoted([value]);
	else if (typeof value !== 'object' || value === null || !isOpen(value))
		yield JSON.stringify(value) ?? 'null';
	else if (Array.isArray(value)) {
		yield '[';
		for (const [index, item] of value.entries()) {
			if (index > 0) yield ',';
			yield* parts(item);
		}
		yield ']';
	} else {
		let separator = '{';
		const texts = textPieces(value);
		for (const key of Object.keys(value)) {
			// Reading the `text` property would join its pieces into one string.
			const item = key === 'text' && texts ? '' : value[key];
			if (item === undefined || typeof item === 'function' || typeof item === 'symbol') continue;
			yield `${separator}${JSON.stringify(key)}:`;
			separator = ',';
			yield* key === 'text' && texts ? quoted(texts) : parts(item);
		}
		yield separator === '{' ? '{}' : '}';
	}
}

/** Yields the output of JSON.stringify in pieces, for values that are too large for one string. */
export function* jsonPieces(value: unknown): Generator<string> {
	let piece = '';
	for (const part of parts(value)) {
		piece += part;
		if (piece.length < PIECE) continue;
		yield piece;
		piece = '';
	}
	if (piece !== '') yield piece;
}
