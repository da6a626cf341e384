import {isFarSocket} from './client.ts';
import {oneLine} from './plain.ts';
import type {ScriptLines} from './script.ts';

/** Server found by `status.sh` on its host. The host sent all values, so they are not trusted. */
export type Found = {
	readonly id: string;
	/** First value of each key that the script printed. */
	readonly values: ReadonlyMap<string, string>;
	/**
	 * Socket on which the server listens. Null before it listens, or if this program cannot have
	 * created the path.
	 */
	readonly socket: string | null;
	/** Last lines of the server's log. */
	readonly log: string;
};

/** Node on which a job runs, as reported by the host. */
export type JobNode = {
	readonly job: string;
	readonly name: string;
	readonly user: string;
	/** Folder of the server on the host. */
	readonly run: string;
	/** Public host key of the sshd that this program starts in the job. */
	readonly hostKey: string;
};

const LOG_LINE = '\u001F';

/** Groups the output lines of `status.sh` by server. */
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
 * State of a server on its host. `absent`: the host does not have this order. `unknown`: the state
 * cannot be determined. Reasons are sentences.
 */
export type Verdict =
	| {readonly state: 'absent'}
	/** `isQueued`: the job may wait for a long time, so it is checked less often. */
	| {readonly state: 'starting'; readonly reason: string; readonly isQueued?: true}
	| {
			readonly state: 'listens';
			readonly socket: string;
			/** Machine on which the socket is, if it is not the host itself. */
			readonly node?: JobNode;
			/** End of the job's time limit, in ms since the epoch. */
			readonly endsAt?: number | null;
	  }
	/** `failed`: the server ended because its start took too long. */
	| {readonly state: 'ended'; readonly reason: string; readonly failed?: true}
	| {readonly state: 'unknown'; readonly reason: string};
