import {RequestError, TimeoutError, type Delays} from 'got';
import type {FailureKind} from './failure.ts';
import type {Proxy} from '../machine/proxy.ts';
import {fieldsOf} from '../text/record.ts';

/** Failure of a call without a complete response. Does not contain the call yet. */
export type Fault = {
	readonly kind: FailureKind;
	readonly message: string;
	/** True if the request certainly had no effect. */
	readonly nothingDone?: boolean;
	/** Advice for this fault, which replaces the general advice of its kind. */
	readonly advice?: string;
};

export type CallTarget = {
	readonly host: string;
	readonly hostname: string;
	readonly delays: Readonly<Delays>;
	readonly proxy?: Proxy | undefined;
};

const UNREACHABLE: {readonly [code: string]: string} = {
	ECONNREFUSED: 'connection refused',
	ENETUNREACH: 'there is no route to it',
	EHOSTUNREACH: 'there is no route to it',
	ENETDOWN: 'the network is down',
	EADDRNOTAVAIL: 'the address cannot be used from here',
};

/** Alerts of a service that checks the certificates of its clients. */
const CLIENT_CERTIFICATE =
	/ALERT_(?:BAD_CERTIFICATE|UNKNOWN_CA|CERTIFICATE_(?:EXPIRED|REVOKED|UNKNOWN)|ACCESS_DENIED)/;
const NO_TLS = 'that port does not use TLS (try http://)';
const UNKNOWN_AUTHORITY = 'its certificate is signed by an unknown authority';
const TLS: {readonly [code: string]: string} = {
	DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
	SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
	UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
	UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
	CERT_HAS_EXPIRED: 'its certificate has expired',
	CERT_NOT_YET_VALID: 'its certificate is not valid yet (or the clock here is wrong)',
	ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
	EPROTO: NO_TLS,
	ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
	ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
	ERR_SSL_HTTP_REQUEST: NO_TLS,
};

/** Defects of a response that started as HTTP, by the code of Node's parser. */
const BROKEN: {readonly [code: string]: string} = {
	HPE_HEADER_OVERFLOW: 'its headers are too large',
	HPE_INVALID_HEADER_TOKEN: 'a header line is malformed',
	HPE_CR_EXPECTED: 'a header line is malformed',
	HPE_LF_EXPECTED: 'a header line is malformed',
	HPE_INVALID_CONTENT_LENGTH: 'its Content-Length is not a number',
	HPE_UNEXPECTED_CONTENT_LENGTH: 'it states its length twice',
	HPE_INVALID_TRANSFER_ENCODING: 'its Transfer-Encoding is invalid',
	HPE_INVALID_CHUNK_SIZE: 'its chunks are malformed',
};

const unreachable = (message: string): Fault => ({kind: 'unreachable', message, nothingDone: true});
const late = (message: string): Fault => ({kind: 'timeout', message});

const seconds = (milliseconds: number | undefined): string =>
	milliseconds === undefined ? '' : ` for ${milliseconds / 1000} s`;

const timeout = (event: string, {host, delays, proxy}: CallTarget): Fault => {
	if (event === 'lookup' || event === 'connect' || event === 'secureConnect')
		return unreachable(
			`Cannot reach ${host}: ${proxy ? `its proxy ${proxy.host} gives ` : ''}no response while connecting${seconds(delays[event])}.`,
		);
	if (event === 'request')
		return late(`The response from ${host} was incomplete after ${(delays.request ?? 0) / 1000} s.`);
	if (event === 'send') return late(`${host} did not accept the request${seconds(delays.send)}.`);
	if (event === 'socket') return late(`${host} was silent${seconds(delays.socket)}.`);
	return late(`${host} sent no response${seconds(delays.response)}.`);
};

const field = (value: unknown, name: string): unknown => fieldsOf(value)[name];

/** Advice to set or correct the user name and password of a proxy. */
export const askPassword = ({variable, host, protocol, hasPassword}: Proxy): string =>
	hasPassword
		? `Correct the user name and password in ${variable}.`
		: `Write them into ${variable}, as in ${protocol}//USER:PASSWORD@${host}.`;

/** Fault of a connection that failed at the proxy, before the service. */
const tunnelFault = (code: string, cause: unknown, {host, proxy}: CallTarget): Fault => {
	const which = proxy ? `proxy ${proxy.host}` : 'proxy';
	const cannot = (why: string, advice: string): Fault => ({
		...unreachable(`Cannot reach ${host}: the ${which} ${why}.`),
		advice,
	});
	const check = `Check ${proxy?.variable ?? 'HTTPS_PROXY'}, or ask the operator of the proxy. NO_PROXY lists the hosts to reach without it.`;
	if (code === 'ERR_PROXY_TLS') {
		const inner = String(field(cause, 'inner'));
		const why = TLS[inner] ?? `its TLS failed (${inner})`;
		return {
			kind: 'tls',
			message: `Cannot connect securely to the ${which}: ${why}.`,
			nothingDone: true,
			advice:
				why === NO_TLS && proxy
					? `Most proxies use unencrypted connections: set ${proxy.variable}=http://${proxy.host}.`
					: check,
		};
	}
	if (code === 'ERR_PROXY_SILENT') return cannot('did not connect in time', check);
	const status = field(cause, 'statusCode');
	if (status === undefined) return cannot('closed the connection', check);
	if (status === 407 && proxy)
		return cannot(
			proxy.hasPassword
				? 'rejected the user name and password (407)'
				: 'asks for a user name and a password (407)',
			askPassword(proxy),
		);
	if (typeof status === 'number' && Number.isInteger(status))
		return cannot(`refused to connect to it (${status})`, check);
	return cannot('is not an HTTP proxy', check);
};

/**
 * Maps got's classes and Node's codes to a fault. The result must not quote the error: its options
 * contain the API key and the body, and its message may quote text of the peer.
 */
export const classify = (error: unknown, place: CallTarget): Fault => {
	const {host} = place;
	if (error instanceof TimeoutError) return timeout(error.event, place);
	const cause = error instanceof RequestError ? error.cause : undefined;
	const inner = field(cause, 'code');
	// The code is taken from the cause, because got has a single code for all failures while
	// reading a body.
	const code = typeof inner === 'string' ? inner : error instanceof RequestError ? error.code : '';
	if (code === 'ERR_PROXY_TUNNEL' || code === 'ERR_PROXY_SILENT' || code === 'ERR_PROXY_TLS')
		return tunnelFault(code, cause, place);
	// Compares Node's message: the proxy accepted the tunnel and then closed it, so nothing was
	// sent.
	if (place.proxy && code === 'ECONNRESET' && /before secure TLS/.test(String(field(cause, 'message'))))
		return tunnelFault(code, undefined, place);
	const why = UNREACHABLE[code];
	if (why !== undefined || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
		if (place.proxy !== undefined)
			return {
				...unreachable(`Cannot reach ${host}: its proxy ${place.proxy.host} cannot be reached.`),
				advice: `Check ${place.proxy.variable} and that the proxy is running. NO_PROXY lists the hosts to reach without it.`,
			};
		return unreachable(
			why === undefined ? `Host ${place.hostname} not found.` : `Cannot reach ${host}: ${why}.`,
		);
	}
	const tls =
		TLS[code] ??
		(CLIENT_CERTIFICATE.test(code)
			? 'it did not accept the certificate of this client'
			: /ALERT_CERTIFICATE_REQUIRED/.test(code)
				? 'it requires a certificate of this client (--client-cert-file, or clientCertFile in the settings)'
				: /CERT/.test(code)
					? `its certificate was not accepted (${code})`
					: /SSL|TLS/.test(code)
						? `TLS negotiation failed (${code})`
						: undefined);
	if (tls !== undefined)
		return {kind: 'tls', message: `Cannot connect securely to ${host}: ${tls}.`, nothingDone: true};
	// Codes for a defect in the first line. A later defect means that the response started as HTTP.
	if (/^HPE_INVALID_(CONSTANT|VERSION|STATUS|METHOD)$/.test(code))
		return {kind: 'not-http', message: `${host} does not speak HTTP.`};
	if (code.startsWith('HPE_'))
		return {
			kind: 'not-http',
			message: `The response from ${host} is invalid: ${BROKEN[code] ?? `it is malformed HTTP (${code})`}.`,
			advice: 'Tell the operator: the service, or a proxy in front of it, violates HTTP.',
		};
	if (/^(Z_|ERR_BROTLI|ZSTD|ERR_ZSTD)/.test(code))
		return {
			kind: 'off-contract',
			message: `The response from ${host} is damaged: it cannot be decompressed.`,
		};
	return {
		kind: 'connection-lost',
		message: `The connection to ${host} was lost before the response was complete.`,
	};
};
