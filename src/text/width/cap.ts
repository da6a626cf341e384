/** UTF-16 units of one text that are looked at; what follows is not shown. */
export const SAFE_LIMIT = 1024 * 1024;

/** Not more than the limit, and no half of a character at the end. */
export const capped = (text: string): string => {
	if (text.length <= SAFE_LIMIT) return text;
	const last = text.charCodeAt(SAFE_LIMIT - 1);
	return text.slice(0, last >= 0xd800 && last <= 0xdbff ? SAFE_LIMIT - 1 : SAFE_LIMIT);
};
