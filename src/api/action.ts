import {pathFromRoot} from '../contract/paths.ts';
import {label} from '../text/safe.ts';
import type {Call} from './transport.ts';

const decoded = (part: string): string => {
	try {
		return decodeURIComponent(part);
	} catch {
		return part;
	}
};

/** Endpoints: method, path below `/api/`, and the action as a user would name it. */
const ACTIONS: readonly (readonly [
	method: string,
	path: RegExp,
	action: (first: string, second: string) => string,
])[] = [
	['GET', /^servers$/, () => 'list the servers'],
	['GET', /^compute$/, () => 'list the compute options'],
	['GET', /^environments$/, () => 'list the environments'],
	['POST', /^servers$/, () => 'create this server'],
	['POST', /^servers\/([^/]+)\/start$/, server => `start ${server}`],
	['POST', /^servers\/([^/]+)\/run-code$/, server => `run code on ${server}`],
	['GET', /^servers\/[^/]+\/files\/(.+)$/, path => `read ${path}`],
	['GET', /^servers\/[^/]+\/files\/$/, () => 'list the files'],
	['PUT', /^servers\/[^/]+\/files\/(.+)$/, path => `write ${path}`],
	['POST', /^assistant\/([^/]+)\/([^/]+)$/, (server, model) => `ask ${model} on ${server}`],
];

/** Action of a call, worded to follow "does not allow you to". */
export const actionOf = ({method, path}: Pick<Call, 'method' | 'path'>): string => {
	for (const [ofMethod, pattern, action] of ACTIONS) {
		const found = method === ofMethod ? pattern.exec(path) : null;
		if (found) {
			const [first = '', second = ''] = found.slice(1).map(part => label(decoded(part), 80));
			return action(first, second);
		}
	}
	return `send ${method} ${label(pathFromRoot(path), 200)}`;
};

/** True for the list of servers. A 403 there means that the key itself is rejected. */
export const isListOfServers = ({method, path}: Pick<Call, 'method' | 'path'>): boolean =>
	method === 'GET' && path === 'servers';
