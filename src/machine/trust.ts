import {getCACertificates, setDefaultCACertificates} from 'node:tls';

const UNTRUSTED =
	/^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT(_LOCALLY)?))$/;

/** True if a connection failed because no trusted authority has signed the certificate. */
export const isUntrusted = (code: unknown): boolean => typeof code === 'string' && UNTRUSTED.test(code);

let isTrusted = false;

/**
 * Adds the system's authorities to Node's own and NODE_EXTRA_CA_CERTS, for the whole process.
 * Honours SSL_CERT_FILE and SSL_CERT_DIR. Reading the system's store takes 200 ms, so call this
 * only after a certificate was rejected. False if nothing was added.
 */
export const trustSystem = (): boolean => {
	if (isTrusted) return false;
	isTrusted = true;
	try {
		// Node reads SSL_CERT_FILE and SSL_CERT_DIR on Linux, and the system's keychain on other
		// systems.
		const known = [...getCACertificates('default'), ...getCACertificates('system')];
		setDefaultCACertificates([...new Set(known)]);
		return true;
	} catch {
		return false;
	}
};
