// A service may put a server's access token into its addresses (A12): it is shown and copied only when the user asks for it.

const PARAMETER = /([?&])token=[^&#]*/gi;

/** Shorter ones would be found in every text. */
const SHORTEST = 6;

/** A text of the service with the token written as `…`: the parameter of an address, and the token itself wherever it stands. */
export const maskToken = (text: string, token: string | null | undefined): string => {
	const masked = text.replaceAll(PARAMETER, '$1token=…');
	return token && token.length >= SHORTEST ? masked.replaceAll(token, '…') : masked;
};

/** An address without its token parameter. */
export const withoutToken = (address: string): string => address.replaceAll(/([?&])token=[^&#]*(&?)/gi, (_, before: string, after: string) => (after === '' ? '' : before)).replace(/\?(?=#|$)/, '');

export const hasToken = (address: string): boolean => address.search(PARAMETER) !== -1;
