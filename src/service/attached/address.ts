import {X509Certificate} from 'node:crypto';
import {isLoopback} from '../../machine/loopback.ts';
import {certificatesOf} from '../../machine/pem.ts';
import type {AttachRequest} from '../../contract/attach.ts';
import {ServiceFault} from '../http/fault.ts';
import {withoutEnds} from '../../text/ends.ts';

/** First path segments of Jupyter's pages, relative to a server's base URL. */
const PAGES = new Set(
	'lab tree notebooks edit view consoles terminals doc nbclassic retro login api files workspaces'.split(' '),
);
const TOKEN = /^[\x21-\x7E]{1,4096}$/;

export type GivenAddress = {
	/**
	 * Possible base URLs, most likely first. Each ends with a slash and contains neither token nor
	 * user name.
	 */
	readonly places: readonly URL[];
	readonly token: string;
};

/**
 * Possible base folders of a server. For `/user/ann/lab/tree/a.ipynb`, the base may be
 * `/user/ann/lab/` or `/user/ann/`.
 */
const foldersOf = (pathname: string): readonly string[] => {
	const names = pathname.split('/').filter(name => name !== '');
	const cuts = names.flatMap((name, index) => (PAGES.has(name) ? [index] : [])).reverse();
	return [names.length, ...cuts].map(
		count =>
			`/${names
				.slice(0, count)
				.map(name => `${name}/`)
				.join('')}`,
	);
};

/**
 * Parses the address of a server.
 * @throws {ServiceFault} 400 if the address is invalid. The message never quotes the address,
 * because it may contain a token.
 */
export const readAddress = ({
	address,
	token: beside,
	insecure_http: inClear,
}: AttachRequest): GivenAddress => {
	const url = URL.parse(address.trim());
	if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
		throw new ServiceFault(
			400,
			'The address should look like http://127.0.0.1:8888/?token=TOKEN; jupyter server list prints it.',
		);
	const token = (beside ?? url.searchParams.get('token') ?? '').trim();
	if (!TOKEN.test(token))
		throw new ServiceFault(
			400,
			token === ''
				? 'The address has no token; jupyter server list prints it with its token.'
				: 'The token contains invalid characters; jupyter server list prints the right one.',
		);
	if (url.protocol === 'http:' && !isLoopback(url.hostname) && inClear !== true)
		throw new ServiceFault(
			400,
			`The token would be sent to ${url.host} unencrypted. Attach an https address or a tunnel (ssh -L 8888:localhost:${url.port || 80} ${url.hostname}, then http://localhost:8888), or use --insecure-token on a network that you trust.`,
		);
	const places = foldersOf(url.pathname).map(path => new URL(url.origin + path));
	return {places: places.slice(0, 4), token};
};

/** Maximum length of a certificate, because each listing of servers contains it. */
const LARGEST_AUTHORITY = 1 << 16;

/**
 * Extra CA certificate of a server.
 * @throws {ServiceFault} 400 if there is none, or a whole bundle of certificates.
 */
export const readAuthority = (given: string): string => {
	const pem = certificatesOf(given);
	if (pem.length > LARGEST_AUTHORITY)
		throw new ServiceFault(
			400,
			'The CA file is too large. Use a file that contains only the CA certificate of this server.',
		);
	try {
		void new X509Certificate(pem);
	} catch {
		throw new ServiceFault(400, 'The CA certificate is not in PEM format. Use a PEM file.');
	}
	return pem;
};

const BARE = /[^A-Za-z0-9]+/g;

/** Derives an unused server name from the address, for requests without a name. */
export const nameFor = ({hostname, pathname}: URL, isTaken: (name: string) => boolean): string => {
	const [host = ''] = /^[\d.[]/.test(hostname) || isLoopback(hostname) ? [''] : hostname.split('.');
	const wish = [pathname.split('/').filter(Boolean).at(-1) ?? '', host]
		.map(text => withoutEnds(text.replaceAll(BARE, '-'), '-').slice(0, 40))
		.find(text => text !== '');
	const name = wish ?? 'jupyter';
	for (let count = 1; ; count++) {
		const tried = count === 1 ? name : `${name}-${count}`;
		if (!isTaken(tried)) return tried;
	}
};
