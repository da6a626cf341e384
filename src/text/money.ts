/** A price per hour: two decimals, or up to four where two would tell another price. */
export const priceText = (price: number): string => {
	const short = price.toFixed(2);
	return Number(short) === price || Math.abs(Number(short) - price) < 1e-9 ? short : price.toFixed(4).replace(/0$/, '');
};

let unit = '/h';

/** What stands before `/h`, as the profile names it; empty for nothing, since the interface does not state the unit of money. */
export const setCurrency = (currency: string): void => {
	unit = currency === '' ? '/h' : `${currency} /h`;
};

/** A price with its unit: `2.49 /h`. */
export const perHour = (price: number): string => `${priceText(price)} ${unit}`;
