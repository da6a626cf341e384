// Structured log of which user did what to which server. Each event is one line of JSON and
// contains no code, file content or paths.
import {appendFileSync} from 'node:fs';
import {chat} from '../contract/assistant.ts';
import {attachServer, detachServer} from '../contract/attach.ts';
import {runCode} from '../contract/cells.ts';
import {getFile, putFile} from '../contract/files.ts';
import {addHost, adoptOnHost, removeHost, stopOnHost} from '../contract/hosts.ts';
import {setLimits} from '../contract/limits.ts';
import {pathFromRoot} from '../contract/paths.ts';
import {openProject} from '../contract/project.ts';
import {createServer, startServer} from '../contract/servers.ts';
import {messageOf} from '../text/errors.ts';
import type {RequestRecord} from './http/request-record.ts';
import type {Log} from './log.ts';
import {ServeError} from './serve-error.ts';

/**
 * Event for the log. The values of `event` and the other fields of each are documented in
 * docs/hosting.md.
 */
export type ServiceEvent = {readonly event: string} & Readonly<
	Record<string, string | number | boolean | undefined>
>;
export type WriteEvent = (event: ServiceEvent) => void;

const routeOf = ({method, path}: {readonly method: string; readonly path: string}): string =>
	`${method} ${pathFromRoot(path)}`;

const EVENTS: ReadonlyMap<string, string> = new Map([
	[routeOf(createServer), 'server.create'],
	[routeOf(startServer), 'server.start'],
	[routeOf(runCode), 'code.run'],
	[routeOf(getFile), 'file.read'],
	[routeOf(putFile), 'file.write'],
	[routeOf(chat), 'assistant.chat'],
	[routeOf(attachServer), 'server.attach'],
	[routeOf(detachServer), 'server.detach'],
	[routeOf(setLimits), 'limits.set'],
	[routeOf(openProject), 'project.open'],
	[routeOf(addHost), 'host.add'],
	[routeOf(removeHost), 'host.remove'],
	[routeOf(adoptOnHost), 'host.adopt'],
	[routeOf(stopOnHost), 'host.stop'],
	['POST /local/stop', 'service.stop'],
]);
const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

const nameOf = ({method, route, status, isUpgrade}: RequestRecord): string | undefined => {
	if (status === 401) return 'key.refused';
	const known = EVENTS.get(`${method} ${route}`);
	if (known !== undefined) return known;
	const isProxied = route === 'jupyter' || route.startsWith('forward:');
	if (!isProxied || (READS.has(method) && !isUpgrade)) return undefined;
	return route === 'jupyter' ? 'server.jupyter' : 'server.forward';
};

/** Event for a request. Undefined for listings and polling. */
export const eventOf = (record: RequestRecord): ServiceEvent | undefined => {
	const event = nameOf(record);
	if (event === undefined) return undefined;
	const {user, server, status, client, ms} = record;
	return {event, user: user === '' ? undefined : user, server, status, client, ms};
};

/**
 * Appends events to a file that only its owner can read. Opens the file for each event, so that
 * other programs can rotate it at any time.
 * @throws {ServeError} 73 if the file cannot be written at the start.
 */
export const openEvents = (file: string, log: Log): WriteEvent => {
	const append = (text: string): void => appendFileSync(file, text, {mode: 0o600});
	try {
		append('');
	} catch (error) {
		throw new ServeError(73, `The event log cannot be written: ${messageOf(error)}. Check --events.`);
	}
	let isFailing = false;
	return event => {
		try {
			append(`${JSON.stringify({time: new Date().toISOString(), ...event})}\n`);
			isFailing = false;
		} catch (error) {
			// A full disk must not prevent users from working. The operator gets one line in the
			// service's log.
			if (!isFailing) log.line(`the event log cannot be written: ${messageOf(error)}`);
			isFailing = true;
		}
	};
};
