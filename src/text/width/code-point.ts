/**
 * Code point at a UTF-16 index. Returns a lone surrogate as it is. Does not use `codePointAt`
 * alone, because in Node 24.21 its optimised form (Maglev) reads beyond the end of a slice and
 * finds the other half there.
 */
export const codePoint = (text: string, at: number): number => {
	const unit = text.charCodeAt(at);
	return (unit & 0xfc00) === 0xd800 && at + 1 < text.length ? (text.codePointAt(at) ?? 0) : unit;
};
