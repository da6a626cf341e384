import fc from 'fast-check';

const PIECES = [
	'\u001b', '\u001b[', '\u001b]', '\u001bP', '\u001b_', '\u001b\\', '\u001b[31m', '\u001b[0m', '\u001b[38;5;9m', '\u001b[1;4m', '\u001b[K', '\u001b[6n', '\u001b]52;c;aGk=\u0007',
	'\u001b]0;t\u0007', '\u001b]8;;http://e\u001b\\', '[', ']', '\\', 'm', 'J', 'K', 'c', '0', '1', '2', ';', ':', '?', ' ', 'a', 'b', '\u0007', '\u0008', '\t', '\n', '\r', '\r\n',
	'\u0000', '\u0018', '\u007f', '\u0085', '\u0090', '\u009b', '\u009c', '\u009d', '\u202e', '\u2066', '\u2028', '\u200b', '\u200d', '\ufe0f', '\ufe0e', '\ufeff', '\u00ad',
	'\u0301', '\u0e33', '\u093f', '\u094d', '\u0915', '\u1100', '\u1161', '\u11a8', '가', '表', 'ﾞ', '\u0600', '👩', '🚀', '🏽', '❤', '🇩', '🇪', '1\ufe0f\u20e3', '\ud83d', '\ude80', '\u{e0041}', '\u{e0100}', '\u{16d63}', '\u{16d67}',
];

/** Strings made of what terminals obey, what has no shape, what combines, and halves of it. */
export const hostileString = (maxLength = 40): fc.Arbitrary<string> =>
	fc.array(fc.oneof({weight: 6, arbitrary: fc.constantFrom(...PIECES)}, {weight: 1, arbitrary: fc.string({unit: 'binary', maxLength: 2})}), {maxLength}).map(parts => parts.join(''));

/** The same without anything a terminal obeys. */
export const printableString = (maxLength = 40): fc.Arbitrary<string> => hostileString(maxLength).map(text => text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, ''));
