import type {PublicUrl} from './public-url.ts';

/** The names by which the service is called. */
export type ServiceHosts = {
	/** Values of `Host` by which it is called without a proxy: lower case, with the port. */
	readonly direct: ReadonlySet<string>;
	readonly publicUrl: PublicUrl | null;
};

/**
 * Whether a `Host` is ours: else a page whose name was made to lead to this machine could call us. Of the public name any port will do: proxies
 * send theirs, ours, or none.
 */
export const isServiceHost = (value: string, {direct, publicUrl}: ServiceHosts): boolean => {
	const host = value.toLowerCase();
	return direct.has(host) || (publicUrl !== null && host.replace(/:\d{1,5}$/, '') === publicUrl.name);
};

/** What a browser says of the page that calls. */
export type CallingPage = {readonly origin: string | undefined; readonly site: string | undefined};

/** Whether a page may call: none may but those of the public address itself, byte for byte; and those need the key as everybody does. */
export const isAllowedOrigin = ({origin, site}: CallingPage, publicUrl: PublicUrl | null): boolean => {
	const own = publicUrl !== null && (origin === undefined || origin === publicUrl.origin);
	return (
		(origin === undefined || own) &&
		(site === undefined || site === 'none' || (own && site === 'same-origin'))
	);
};
