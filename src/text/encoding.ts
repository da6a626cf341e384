// Detects and decodes text encodings.

export type Decoded = {readonly text: string; readonly encoding: string};

/** Number of bytes inspected at the start of a file to detect its encoding. */
const LOOKED_AT = 4096;
/**
 * Minimum share of zeros among the even or the odd bytes of UTF-16. Suits text that is mostly
 * Latin.
 */
const MOSTLY = 0.6;

/** Control characters that do not occur in text. */
const CONTROLS = /[\u0000-\u0008\u000E-\u001A\u001C-\u001F]/;

const decode = (bytes: Uint8Array, label: string): string | null => {
	try {
		return new TextDecoder(label, {fatal: true}).decode(bytes);
	} catch {
		return null;
	}
};

/** True if the bytes start with a UTF-16 byte order mark. */
const hasMark = ([first, second]: Uint8Array): boolean =>
	(first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);

/**
 * Label of the UTF-16 encoding. Detected by the byte order mark, or by the zero bytes beside Latin
 * letters. Null if neither is present.
 */
const utf16Label = (bytes: Uint8Array): string | null => {
	const [first, second, third, fourth] = bytes;
	if (first === 0xff && second === 0xfe) return third === 0 && fourth === 0 ? null : 'utf-16le';
	if (first === 0xfe && second === 0xff) return 'utf-16be';
	if (bytes.length < 2 || bytes.length % 2 !== 0) return null;
	const half = Math.min(LOOKED_AT, bytes.length) / 2;
	const zeros = [0, 0];
	for (let at = 0; at < half * 2; at++) if (bytes[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
	const [even = 0, odd = 0] = zeros;
	if (odd >= half * MOSTLY && even === 0) return 'utf-16le';
	return even >= half * MOSTLY && odd === 0 ? 'utf-16be' : null;
};

/**
 * Counts the non-ASCII characters that were decoded (`read`), and the decoding failures (`broken`,
 * U+FFFD).
 */
const countBroken = (text: string): {readonly read: number; readonly broken: number} => {
	const beyond = text.match(/[^\u0000-\u007F]/g) ?? [];
	const broken = beyond.filter(each => each === '\uFFFD').length;
	return {read: beyond.length - broken, broken};
};

/** Bytes that are letters and signs in Windows-1252, but control characters in Latin-1. */
const WINDOWS_ONLY = /[\u0080-\u009F]/;

/** Decodes UTF-16, damaged UTF-8 or Latin-1. Null if the bytes are not text. */
export const decodeText = (bytes: Uint8Array): Decoded | null => {
	const label = utf16Label(bytes);
	if (label !== null) {
		const whole = decode(bytes, label);
		// Strict decoding fails if the number of bytes is odd. If there is a byte order mark,
		// lenient decoding still reads the rest.
		const text = whole ?? (hasMark(bytes) ? new TextDecoder(label).decode(bytes) : null);
		if (text === null || CONTROLS.test(text)) return null;
		return {text, encoding: whole === null ? 'damaged UTF-16' : 'UTF-16'};
	}
	const beginning = bytes.subarray(0, LOOKED_AT);
	if (CONTROLS.test(new TextDecoder('latin1').decode(beginning)) || bytes.includes(0)) return null;
	const lossy = new TextDecoder('utf-8').decode(bytes);
	const {read, broken} = countBroken(lossy.slice(0, 1_000_000));
	return read > broken
		? {text: lossy, encoding: 'damaged UTF-8'}
		: {
				text: new TextDecoder('windows-1252').decode(bytes),
				encoding: WINDOWS_ONLY.test(Buffer.from(bytes).toString('latin1')) ? 'Windows-1252' : 'Latin-1',
			};
};

/** True if the bytes start with a UTF-8 byte order mark. */
const hasUtf8Mark = ([first, second, third]: Uint8Array): boolean =>
	first === 0xef && second === 0xbb && third === 0xbf;

const utf8Name = (bytes: Uint8Array): string => (hasUtf8Mark(bytes) ? 'UTF-8 with BOM' : 'UTF-8');

/** Decodes text in any encoding that can be detected. Null if the bytes are not text. */
export const readText = (bytes: Uint8Array): Decoded | null => {
	// UTF-16 without a byte order mark is also valid UTF-8, with a zero byte beside each letter.
	const text = bytes.subarray(0, LOOKED_AT).includes(0) ? null : decode(bytes, 'utf-8');
	return text === null ? decodeText(bytes) : {text, encoding: utf8Name(bytes)};
};

/** Names of the encodings that the user can choose, by label. */
export const ENCODINGS: ReadonlyMap<string, string> = new Map([
	['utf-8', 'UTF-8'],
	['utf-16le', 'UTF-16 LE'],
	['utf-16be', 'UTF-16 BE'],
	['windows-1252', 'Windows-1252'],
	['iso-8859-15', 'Latin-9'],
	['windows-1250', 'Windows-1250'],
	['windows-1251', 'Windows-1251'],
	['koi8-r', 'KOI8-R'],
	['windows-1253', 'Windows-1253'],
	['windows-1254', 'Windows-1254'],
	['macintosh', 'Mac Roman'],
	['shift_jis', 'Shift JIS'],
	['euc-jp', 'EUC-JP'],
	['gb18030', 'GB 18030'],
	['big5', 'Big5'],
	['euc-kr', 'EUC-KR'],
]);

/** Decodes text in the given encoding. Bytes that are invalid in it become U+FFFD. */
export const decodeAs = (bytes: Uint8Array, label: string): Decoded => {
	const text = decode(bytes, label);
	const name = label === 'utf-8' ? utf8Name(bytes) : (ENCODINGS.get(label) ?? label);
	return text === null
		? {text: new TextDecoder(label).decode(bytes), encoding: `damaged ${name}`}
		: {text, encoding: name};
};
