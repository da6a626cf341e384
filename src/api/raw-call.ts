import type {TypedCall} from './methods.ts';
import type {Call} from './transport.ts';

/**
 * Converts a call that the user typed. Returns a sentence if the path leads outside the base URL,
 * where the API key must not be sent.
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
		// Other methods have a longer time limit, because they may run code.
		kind: method === 'GET' ? 'file' : 'run',
		method,
		// The prefix remains if the short path would lead to another address, for example because
		// of a leading slash.
		path: URL.parse(short, base)?.href === url.href ? short : whole,
		...(body !== undefined && {body}),
	};
};
