import type {Params} from '../../contract/endpoint.ts';
import type {Work} from './admission.ts';

/** A method and a path with `{name}` for one segment and `{path}` for all the rest. */
export type RoutePattern = {
	readonly method: string;
	readonly path: string;
	/** Answers without a key. */ readonly open?: boolean;
	/** Answers to any Host, too. */ readonly probe?: boolean;
	/** What it keeps busy for long. */ readonly work?: Work | undefined;
};

export type Matched = {
	readonly path: string;
	readonly open: boolean;
	readonly probe: boolean;
	readonly work: Work | undefined;
	readonly methods: readonly string[];
	/** Still percent-encoded. */ readonly params: Params;
};

const parameter = (segment: string): string | undefined => /^\{(\w+)\}$/.exec(segment)?.[1];

const matchPath = (pattern: readonly string[], segments: readonly string[]): Params | null => {
	const params: Record<string, string> = {};
	for (const [index, expected] of pattern.entries()) {
		const name = parameter(expected);
		const segment = segments[index];
		if (segment === undefined) return null;
		if (name === 'path') return {...params, path: segments.slice(index).join('/')};
		if (name !== undefined) params[name] = segment;
		else if (segment !== expected) return null;
	}
	return pattern.length === segments.length ? params : null;
};

/**
 * Matches raw paths as they came, segment by segment. A URL parser would resolve `..` and `%2e%2e` first and so
 * address another endpoint than the one that was asked for.
 */
export const createMatcher = (routes: readonly RoutePattern[]): ((rawPath: string) => Matched | null) => {
	const paths = Map.groupBy(routes, route => route.path);
	const patterns = [...paths].map(([path, same]) => ({
		path,
		segments: path.split('/'),
		methods: same.map(route => route.method),
		open: same.every(route => route.open === true),
		probe: same.every(route => route.probe === true),
		work: same[0]?.work,
	}));
	return rawPath => {
		const segments = rawPath.split('/');
		for (const {segments: pattern, ...found} of patterns) {
			const params = matchPath(pattern, segments);
			if (params) return {...found, params};
		}
		return null;
	};
};
