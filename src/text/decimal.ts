/** Decimal number: not hexadecimal, without blanks or a unit. */
const DECIMAL = /^[+-]?\d{1,15}(?:\.\d{1,15})?(?:e[+-]?\d{1,2})?$/i;

/** The value as a number, parsed if it is decimal text. Null for anything else. */
export const toNumber = (value: unknown): number | null => {
	if (typeof value === 'number') return Number.isFinite(value) ? value : null;
	return typeof value === 'string' && DECIMAL.test(value) ? Number(value) : null;
};
