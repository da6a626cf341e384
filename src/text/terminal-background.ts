// The ground that a terminal draws on, by what it answers or by what it puts into the environment.

export type Background = 'light' | 'dark';

/** Asks for the colour of the ground (OSC 11). */
export const BACKGROUND_QUERY = '\u001B]11;?\u001B\\';

const COLOUR =
	/^\u001B\]11;rgba?:([\da-f]{1,4})\/([\da-f]{1,4})\/([\da-f]{1,4})(?:\/[\da-f]{1,4})?(?:\u0007|\u001B\\)$/i;

/** From a share of 0.18 of white's light on black letters are easier to read than white ones. */
const HALF = 0.179;

/** Of three shares of full light (WCAG's relative luminance). */
export const luminance = (red: number, green: number, blue: number): number => {
	const [r = 0, g = 0, b = 0] = [red, green, blue].map(share =>
		share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4,
	);
	return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};

/** What a report says of it; null: it is about something else. */
export const backgroundIn = (report: string): Background | null => {
	const shares = COLOUR.exec(report)
		?.slice(1)
		.map(digits => Number.parseInt(digits, 16) / (16 ** digits.length - 1));
	if (shares === undefined) return null;
	const [red = 0, green = 0, blue = 0] = shares;
	return luminance(red, green, blue) > HALF ? 'light' : 'dark';
};

/** `COLORFGBG`, as rxvt and Konsole set it: the number of the ground among the 16 colours comes last. */
export const backgroundFromEnv = (value: string | undefined): Background | null => {
	const number = /;(\d{1,2})$/.exec(value ?? '')?.[1];
	if (number === undefined || Number(number) > 15) return null;
	return Number(number) === 7 || Number(number) > 8 ? 'light' : 'dark';
};
