import type {PublicUrl} from './public-url.ts';

export type ServiceHosts = {
	/** Accepted `Host` values without a proxy, in lower case, with the port. */
	readonly direct: ReadonlySet<string>;
	readonly publicUrl: PublicUrl | null;
};

/**
 * Guards against DNS rebinding, by which a page could call the service through a name of its own.
 * The public name matches with any port, because proxies send theirs, the service's, or none.
 */
export const isServiceHost = (value: string, {direct, publicUrl}: ServiceHosts): boolean => {
	const host = value.toLowerCase();
	return direct.has(host) || (publicUrl !== null && host.replace(/:\d{1,5}$/, '') === publicUrl.name);
};

/** Headers by which a browser identifies the calling page. */
export type CallingPage = {readonly origin: string | undefined; readonly site: string | undefined};

/** True for no page, or for the public address itself. Pages still need the key. */
export const isAllowedOrigin = ({origin, site}: CallingPage, publicUrl: PublicUrl | null): boolean => {
	const own = publicUrl !== null && (origin === undefined || origin === publicUrl.origin);
	return (
		(origin === undefined || own) &&
		(site === undefined || site === 'none' || (own && site === 'same-origin'))
	);
};
