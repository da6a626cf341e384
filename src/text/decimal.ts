/** Decimal text as services write numbers: no hexadecimal, no blanks, nothing else behind it. */
const DECIMAL = /^[+-]?\d{1,15}(?:\.\d{1,15})?(?:e[+-]?\d{1,2})?$/i;

/** A number, also as text; null for anything else. */
export const toNumber = (value: unknown): number | null => {
	if (typeof value === 'number') return Number.isFinite(value) ? value : null;
	return typeof value === 'string' && DECIMAL.test(value) ? Number(value) : null;
};
