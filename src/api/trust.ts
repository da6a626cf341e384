import {getCACertificates, setDefaultCACertificates} from 'node:tls';

const UNTRUSTED =
	/^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT(_LOCALLY)?))$/;

/** Whether an error of a connection says that nobody here vouches for the certificate. */
export const isUntrusted = (code: unknown): boolean => typeof code === 'string' && UNTRUSTED.test(code);

let isTrusted = false;

/**
 * Trusts what the system trusts, with SSL_CERT_FILE and SSL_CERT_DIR, besides Node's own authorities and NODE_EXTRA_CA_CERTS, in the whole
 * program. Reading its store takes 200 ms: it is read once a certificate is not known otherwise. False: nothing is new.
 */
export const trustSystem = (): boolean => {
	if (isTrusted) return false;
	isTrusted = true;
	try {
		// On Linux Node reads SSL_CERT_FILE and SSL_CERT_DIR for it; elsewhere it is the keychain.
		const known = [...getCACertificates('default'), ...getCACertificates('system')];
		setDefaultCACertificates([...new Set(known)]);
		return true;
	} catch {
		return false;
	}
};
