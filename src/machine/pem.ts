const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^]*?-----END CERTIFICATE-----/g;

/** Only the certificates of a PEM text, which may also contain a private key. Empty if none. */
export const certificatesOf = (pem: string): string =>
	(pem.match(CERTIFICATE) ?? []).map(each => `${each}\n`).join('');
