// Time limits of Slurm jobs, in minutes.

const MINUTES_PER_DAY = 24 * 60;
const MINUTES_PER_HOUR = 60;

/** Duration in minutes as a short text: `30 min`, `8 h`, `1 h 30 min`, `2 d`. */
export const limitText = (minutes: number): string => {
	const whole = Math.max(1, Math.round(minutes));
	const parts = [
		[Math.floor(whole / MINUTES_PER_DAY), 'd'],
		[Math.floor((whole % MINUTES_PER_DAY) / MINUTES_PER_HOUR), 'h'],
		[whole % MINUTES_PER_HOUR, 'min'],
	] as const;
	return parts
		.filter(([count]) => count > 0)
		.map(([count, unit]) => `${count} ${unit}`)
		.join(' ');
};

/** Time limit as the settings write it: `8h`, `90m`. */
const settingText = (minutes: number): string => (minutes % 60 === 0 ? `${minutes / 60}h` : `${minutes}m`);

/**
 * Reason why Slurm would never start a job with this time limit, or null. Slurm accepts such a job
 * and leaves it in the queue.
 */
export const jobTimeProblem = (
	partition: string,
	limit: number | null,
	time: number | undefined,
): string | null =>
	time === undefined || limit === null || time <= limit
		? null
		: `${limitText(time)} is more than ${partition} allows (${limitText(limit)}): the job would wait for ever. Set "time" to ${settingText(Math.floor(limit))} or less.`;
