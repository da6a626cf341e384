/** Maximum length of a text that is processed, in UTF-16 units. The rest is not shown. */
export const SAFE_LIMIT = 1024 * 1024;

/** Cuts a text at the limit without splitting a surrogate pair. */
export const capped = (text: string): string => {
	if (text.length <= SAFE_LIMIT) return text;
	const last = text.charCodeAt(SAFE_LIMIT - 1);
	return text.slice(0, last >= 0xd800 && last <= 0xdbff ? SAFE_LIMIT - 1 : SAFE_LIMIT);
};
