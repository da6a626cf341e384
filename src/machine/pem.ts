const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^]*?-----END CERTIFICATE-----/g;

/** The certificates of a PEM text alone: a private key may stand beside them, which is nobody's business. Empty: it holds none. */
export const certificatesOf = (pem: string): string =>
	(pem.match(CERTIFICATE) ?? []).map(each => `${each}\n`).join('');
