import {openRunLogs, type RunLog, type RunLogs} from '../../storage/run-log.ts';
import type {Context, Service} from '../context.ts';
import {liveLink, type ServerLink} from '../on-server.ts';
import {storageFor} from '../storage-for.ts';

/** Connection and log of a notebook while its cells run. */
export type OpenNotebook = {
	/** Null if the server does not offer its own Jupyter API. */
	readonly live: ServerLink | null;
	/** Log for new cells. */
	readonly log: RunLog;
	/** Ends one use of the connection. The last use closes it. Kernels keep running. */
	release(): void;
};

type Entry = {readonly live: Promise<ServerLink | null>; readonly log: RunLog; uses: number};

type Logs = Pick<RunLogs, 'open' | 'left' | 'resume'>;
export type LogsOf = (context: Context) => Logs;
const savedLogs: LogsOf = context => openRunLogs(storageFor(context));

/** `context`: that of the program, not of a call. */
export const createOpenNotebooks = (context: Context, logsOf: LogsOf = savedLogs) => {
	const entries = new Map<string, Entry>();
	let logs: Logs | undefined;
	const runLogs = (): Logs => (logs ??= logsOf(context));
	return {
		/** Run logs, including those of ended and of other running programs. */
		logs: runLogs,
		async open(service: Service, server: string, path: string): Promise<OpenNotebook> {
			const key = `${server}\0${path}`;
			const entry = entries.get(key) ?? {
				live: liveLink(context, service, server),
				log: runLogs().open(server, {kind: 'notebook', path}),
				uses: 0,
			};
			entries.set(key, entry);
			entry.uses++;
			const release = (): void => {
				entry.uses--;
				if (entry.uses > 0) return;
				entries.delete(key);
				void entry.live.then(
					live => live?.close(),
					() => {},
				);
			};
			try {
				return {live: await entry.live, log: entry.log, release};
			} catch (error) {
				release();
				throw error;
			}
		},
		close(): void {
			for (const {live} of entries.values())
				void live.then(
					link => link?.close(),
					() => {},
				);
		},
	};
};
