import {isFarSocket} from './client.ts';
import {oneLine} from './plain.ts';
import type {ScriptLines} from './script.ts';

/** Server as `status.sh` found it on its host. All values are the host's, and not trusted. */
export type Found = {
	readonly id: string;
	/** First value of each key. */
	readonly values: ReadonlyMap<string, string>;
	/** Socket at which the server listens. Null before that, or if the path is not one of ours. */
	readonly socket: string | null;
	/** Last lines of the server's log. */
	readonly log: string;
};

/** Node on which a job runs, as the host reported it. */
export type JobNode = {
	readonly job: string;
	readonly name: string;
	readonly user: string;
	/** Folder of the server on the host. */
	readonly run: string;
	/** Public host key of the sshd that runs in the job. */
	readonly hostKey: string;
};

const LOG_LINE = '\u001F';

/** Splits the lines of `status.sh` into servers. */
export const readFound = (lines: ScriptLines): readonly Found[] => {
	const servers: Found[] = [];
	let values = new Map<string, string>();
	for (const [key, value] of lines) {
		if (key !== 'id') {
			if (!values.has(key)) values.set(key, value);
			continue;
		}
		const path = values.get('socket') ?? '';
		servers.push({
			id: value,
			values,
			socket: values.get('listens') === 'yes' && isFarSocket(path) ? path : null,
			log: (values.get('log') ?? '')
				.split(LOG_LINE)
				.map(line => oneLine(line))
				.join('\n')
				.trim(),
		});
		values = new Map();
	}
	return servers;
};

/**
 * State of a server on its host. `absent`: the host knows no such order. `unknown`: nothing may be
 * concluded. Reasons are sentences.
 */
export type Verdict =
	| {readonly state: 'absent'}
	/** `isQueued`: the job may wait for a long time, so it is checked rarely. */
	| {readonly state: 'starting'; readonly reason: string; readonly isQueued?: true}
	| {
			readonly state: 'listens';
			readonly socket: string;
			/** Machine of the socket, if that is not the host itself. */
			readonly node?: JobNode;
			/** End of the job's time limit, in ms since the epoch. */
			readonly endsAt?: number | null;
	  }
	/** `failed`: the start took too long. */
	| {readonly state: 'ended'; readonly reason: string; readonly failed?: true}
	| {readonly state: 'unknown'; readonly reason: string};
