import type {PublicUrl} from './public-url.ts';

export type ServiceHosts = {
	/** Accepted `Host` values of direct connections, in lower case, with the port. */
	readonly direct: ReadonlySet<string>;
	readonly publicUrl: PublicUrl | null;
};

/**
 * Protects against DNS rebinding, with which a web page could reach the service by a host name of
 * its own. The public name is accepted with any port, because proxies send their own port, the
 * service's, or none.
 */
export const isServiceHost = (value: string, {direct, publicUrl}: ServiceHosts): boolean => {
	const host = value.toLowerCase();
	return direct.has(host) || (publicUrl !== null && host.replace(/:\d{1,5}$/, '') === publicUrl.name);
};

/** Headers in which a browser identifies the page that sends a request. */
export type CallingPage = {readonly origin: string | undefined; readonly site: string | undefined};

/**
 * True for requests that come from no page, or from the public address itself. Pages still need the
 * key.
 */
export const isAllowedOrigin = ({origin, site}: CallingPage, publicUrl: PublicUrl | null): boolean => {
	const own = publicUrl !== null && (origin === undefined || origin === publicUrl.origin);
	return (
		(origin === undefined || own) &&
		(site === undefined || site === 'none' || (own && site === 'same-origin'))
	);
};
