// Background colour of the terminal, from its reply or from the environment.

export type Background = 'light' | 'dark';

/** Query for the background colour (OSC 11). */
export const BACKGROUND_QUERY = '\u001B]11;?\u001B\\';

const COLOUR =
	/^\u001B\]11;rgba?:([\da-f]{1,4})\/([\da-f]{1,4})\/([\da-f]{1,4})(?:\/[\da-f]{1,4})?(?:\u0007|\u001B\\)$/i;

/** Relative luminance above which black text is easier to read than white text. */
const HALF = 0.179;

/** WCAG's relative luminance. Each channel is between 0 and 1. */
export const luminance = (red: number, green: number, blue: number): number => {
	const [r = 0, g = 0, b = 0] = [red, green, blue].map(share =>
		share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4,
	);
	return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};

/** Background from a terminal reply. Null if the reply is about something else. */
export const backgroundIn = (report: string): Background | null => {
	const shares = COLOUR.exec(report)
		?.slice(1)
		.map(digits => Number.parseInt(digits, 16) / (16 ** digits.length - 1));
	if (shares === undefined) return null;
	const [red = 0, green = 0, blue = 0] = shares;
	return luminance(red, green, blue) > HALF ? 'light' : 'dark';
};

/**
 * Background from `COLORFGBG`, which rxvt and Konsole set. It ends with the number of one of 16
 * colours. Null if that is missing.
 */
export const backgroundFromEnv = (value: string | undefined): Background | null => {
	const number = /;(\d{1,2})$/.exec(value ?? '')?.[1];
	if (number === undefined || Number(number) > 15) return null;
	return Number(number) === 7 || Number(number) > 8 ? 'light' : 'dark';
};
