/** Local time as `HH:MM`, with the date before it unless that is today's. */
export const clockTime = (at: number, now = Date.now()): string => {
	const [text, today] = [at, now].map(time => new Date(time).toLocaleString('sv').slice(0, 16));
	return text?.slice(0, 10) === today?.slice(0, 10) ? (text?.slice(11) ?? '') : (text ?? '');
};

/** Duration such as `30 minutes` or `2 hours`, at least one minute. */
export const spanWords = (milliseconds: number): string => {
	const minutes = Math.max(1, Math.round(milliseconds / 60_000));
	const [count, unit] = minutes % 60 === 0 ? [minutes / 60, 'hour'] : [minutes, 'minute'];
	return `${count} ${unit}${count === 1 ? '' : 's'}`;
};

/** Duration in full minutes: `40 min`, `2 h 05 min`. */
export const hoursText = (milliseconds: number): string => {
	const minutes = Math.max(0, Math.floor(milliseconds / 60_000));
	return minutes < 60
		? `${minutes} min`
		: `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
};

/** Duration in a column: `12m`, `2h 13m`, `3d 4h`. */
export const uptimeText = (milliseconds: number): string => {
	const minutes = Math.max(0, Math.floor(milliseconds / 60_000));
	const hours = Math.floor(minutes / 60);
	return hours < 1
		? `${minutes}m`
		: hours < 48
			? `${hours}h ${String(minutes % 60).padStart(2, '0')}m`
			: `${Math.floor(hours / 24)}d ${hours % 24}h`;
};

/** Elapsed time of a start in a column: `0m 41s`. */
export const elapsedText = (milliseconds: number): string => {
	const seconds = Math.max(0, Math.floor(milliseconds / 1000));
	return seconds < 3600
		? `${Math.floor(seconds / 60)}m ${String(seconds % 60).padStart(2, '0')}s`
		: uptimeText(milliseconds);
};
