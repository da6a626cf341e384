const UNITS = {m: 60_000, h: 3_600_000, d: 86_400_000} as const;

/** Duration such as `30m`, `2h` or `1d`, in ms. Null for any other text, and for zero. */
export const parseDuration = (text: string): number | null => {
	const [, digits = '', unit = ''] = /^(\d{1,4})([mhd])$/.exec(text) ?? [];
	return Number(digits) * (UNITS[unit as keyof typeof UNITS] ?? 0) || null;
};

/** Inverse of {@link parseDuration}, in the largest unit without a remainder. */
export const durationSetting = (ms: number): string => {
	const unit = (['d', 'h', 'm'] as const).find(each => ms % UNITS[each] === 0 && ms >= UNITS[each]);
	return unit === undefined ? `${ms}ms` : `${ms / UNITS[unit]}${unit}`;
};
