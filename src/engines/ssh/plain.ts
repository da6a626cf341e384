/** Maximum length of a displayed text from a host, in UTF-16 units. */
const LONGEST = 300;

/** Sanitises a text from a host for use in a sentence: one line without control characters. */
export const oneLine = (text: string, longest = LONGEST): string => {
	const plain = text
		.replaceAll(/\u001B\[[\d;?]*[A-Za-z]/g, '')
		.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
		.trim();
	return plain.length > longest ? `${plain.slice(0, longest)}…` : plain;
};
