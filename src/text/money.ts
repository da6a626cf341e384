/** A price per hour: two decimals, or up to four where two would tell another price. */
export const priceText = (price: number): string => {
	const short = price.toFixed(2);
	return Number(short) === price || Math.abs(Number(short) - price) < 1e-9 ? short : price.toFixed(4).replace(/0$/, '');
};
