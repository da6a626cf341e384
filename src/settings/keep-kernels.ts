import {parseDuration} from '../text/duration.ts';
import {SetupError} from './setup-error.ts';

/**
 * Time in ms for which kernel variables outlive the last program that uses the local service.
 * `asks`: ask on leaving.
 */
export type KeepKernels = {readonly ms: number; readonly asks: boolean};

const MINUTE = 60_000;
const HALF_AN_HOUR = 30 * MINUTE;
/** Limited, because an unused service must stop at some point. */
const LONGEST = 24 * 60 * MINUTE;

export const KEEP_KERNELS_RULE =
	'must be a duration of at most 24 hours, as in "30m" or "2h", or "never", or "ask"';

/** Null if the text is not a valid duration. */
export const parseKeepKernels = (text: string): KeepKernels | null => {
	if (text === 'never') return {ms: 0, asks: false};
	if (text === 'ask') return {ms: HALF_AN_HOUR, asks: true};
	const ms = parseDuration(text);
	return ms !== null && ms <= LONGEST ? {ms, asks: false} : null;
};

/**
 * Setting from the environment, else from the settings file.
 * @throws {SetupError} if SVC_KEEP_KERNELS is invalid.
 */
export const keepKernelsOf = (
	ofSettings: KeepKernels | null,
	env: Readonly<Record<string, string | undefined>>,
): KeepKernels => {
	const named = env['SVC_KEEP_KERNELS'];
	if (!named) return ofSettings ?? {ms: HALF_AN_HOUR, asks: false};
	const parsed = parseKeepKernels(named);
	if (parsed === null) throw new SetupError(`SVC_KEEP_KERNELS ${KEEP_KERNELS_RULE}.`);
	return parsed;
};

export const keepKernelsText = ({ms, asks}: KeepKernels): string => {
	if (asks) return 'ask';
	if (ms === 0) return 'never';
	return ms % (60 * MINUTE) === 0 ? `${ms / (60 * MINUTE)}h` : `${ms / MINUTE}m`;
};
