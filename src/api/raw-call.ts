import type {TypedCall} from './methods.ts';
import type {Call} from './transport.ts';

/**
 * A call that the user has typed, below `{base_url}/api/`, as the transport takes it; or a sentence that says why its path leads elsewhere, where the
 * key must not go.
 */
export const callOf = ({method, path, body}: TypedCall, base: URL): Call | string => {
	const root = new URL('../', base);
	const below = path.replace(/^\//, '');
	const url = /^[/\\]/.test(below) ? null : URL.parse(below, root);
	if (
		url === null ||
		url.origin !== root.origin ||
		!url.pathname.startsWith(root.pathname) ||
		url.hash !== ''
	)
		return `${JSON.stringify(path)} is not a path below the base URL.`;
	const whole = `../${url.pathname.slice(root.pathname.length)}${url.search}`;
	const short = whole.replace(/^\.\.\/api\//, '');
	return {
		// Code that is run may take its time.
		kind: method === 'GET' ? 'file' : 'run',
		method,
		// What begins with a slash or a scheme would lead elsewhere.
		path: URL.parse(short, base)?.href === url.href ? short : whole,
		...(body !== undefined && {body}),
	};
};
