// Hides a server's access token, which the service may put into addresses and responses. The
// program shows and copies the token only if the user asks for it.

const PARAMETER = /([?&#])token=[^&#]*/gi;

/** Minimum length of a token to mask. Shorter tokens would match ordinary text. */
const SHORTEST = 6;

/** Replaces a token by `…`: in the `token` parameter of an address, and in all other places. */
export const maskToken = (text: string, token: string | null | undefined): string => {
	const masked = text.replaceAll(PARAMETER, '$1token=…');
	return token && token.length >= SHORTEST
		? masked.replaceAll(encoded(token), '…').replaceAll(token, '…')
		: masked;
};

/**
 * Token as encoded in an address. A token with a lone surrogate cannot be encoded and stays
 * unchanged.
 */
const encoded = (token: string): string => (token.isWellFormed() ? encodeURIComponent(token) : token);

/** Removes the `token` parameter of an address, and other parameters whose value is the token. */
export const withoutToken = (address: string, token?: string | null): string => {
	const isTokens = (value: string | undefined): boolean =>
		value === undefined || (!!token && (value === token || value === encoded(token)));
	const left = address.replaceAll(
		/(?<=[?&#])(?:token=[^&#]*|[^=&#?]*=([^&#?]*))&?/gi,
		(parameter: string, value: string | undefined) => (isTokens(value) ? '' : parameter),
	);
	return left === address ? address : left.replaceAll(/[?&](?=#|$)/g, '').replace(/#$/, '');
};

/** Address with its token, for services that report the two separately. */
export const withToken = (address: string, token: string | null | undefined): string => {
	if (!token || hasToken(address)) return address;
	// An empty `token` parameter counts as missing.
	const [, before = address, fragment = ''] = /^([^#]*)(#.*)?$/s.exec(withoutToken(address)) ?? [];
	const mark = before.includes('?') ? (/[?&]$/.test(before) ? '' : '&') : '?';
	return `${before}${mark}token=${encoded(token)}${fragment}`;
};

export const hasToken = (address: string): boolean => /[?&#]token=[^&#]/i.test(address);

const NAME =
	'(?<![\\w-])(?:[\\w-]{0,40}[_-])?(?:\\w{0,40}token|api[_-]?key|access[_-]?key|private[_-]?key|password|passwd|secret|authorization|cookie|signature|credentials?)';
// Matches nested JSON, JSON in HTML, and Python dicts. The text may end within a value.
const FIELD = new RegExp(
	`(${NAME})((?:\\\\*["']|&quot;|&#3[49];)\\s*:\\s*)(?:"(?:[^"\\\\]|\\\\[\\s\\S])+|'(?:[^'\\\\]|\\\\[\\s\\S])+|(\\\\+["'])(?:(?!(?<!\\\\)\\3)[\\s\\S])+|&(quot|#34|#39);(?:(?!&\\4;)[\\s\\S])+)`,
	'gi',
);
const SETTING = new RegExp(`(${NAME})( ?= ?|%3D)(?:"[^"]+|'[^']+|[^\\s&"'<>#;,%\\\\]+)`, 'gi');
const HEADER =
	/\b(bearer|basic|token|authorization:|cookie:)(\s*(?:[:=]\s*)?["'`]?)(?=[\w.~+/-]{0,200}\d)[\w.~+/-]{12,}=*/gi;
const SHORT_PARAMETER = /([?&](?:key|sig|auth)=)[^&\s"'<>#]+/gi;
const USER = /(\/\/)[^\s/@"'<>?#]+@/g;
const JWT = /\beyJ[\w-]{10,1000}\.[\w-]+\.[\w-]*/g;

/** Masks the values of fields in a response that look like tokens, keys or passwords. */
export const maskSecrets = (text: string): string =>
	text
		.replaceAll(
			FIELD,
			(
				_,
				name: string,
				between: string,
				slashed: string | undefined,
				entity: string | undefined,
				at: number,
				whole: string,
			) => {
				const opened =
					slashed ?? (entity === undefined ? whole.charAt(at + name.length + between.length) : `&${entity};`);
				return `${name}${between}${opened}…`;
			},
		)
		.replaceAll(SETTING, (found: string, name: string, sign: string) => {
			const first = found.charAt(name.length + sign.length);
			return `${name}${sign}${first === '"' || first === "'" ? first : ''}…`;
		})
		.replaceAll(SHORT_PARAMETER, '$1…')
		.replaceAll(HEADER, '$1$2…')
		.replaceAll(USER, '$1…@')
		.replaceAll(JWT, '…');
