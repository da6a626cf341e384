import type {JobOnDisk} from '../../api/jobs/read-jobs.ts';
import {label} from '../../text/safe.ts';
import type {ByServer} from '../core/store/by-server.ts';
import {idle, toLoading, toSettled, type Remote} from '../core/store/remote.ts';
import {part, type App} from '../core/app.ts';
import {notices} from '../core/store/notices.ts';

export type JobsState = {
	/** Jobs found in the files of servers, for servers whose jobs the user has requested. */
	readonly jobs: ByServer<Remote<readonly JobOnDisk[]>>;
};

export type JobList = {
	/** Reads the jobs; polls while one runs, and announces its end. */
	lookAtJobs(server: string): Promise<void>;
};

/** Polling interval in ms. */
const EVERY = 5000;

const firstJobs = (): JobsState => ({jobs: new Map()});

export const jobList = part(
	'jobList',
	({get, set, deps: {client, now}}: App): JobList => {
		const timers = new Map<string, NodeJS.Timeout>();
		const looks = new Map<string, number>();
		const put = (server: string, jobs: Remote<readonly JobOnDisk[]>): void =>
			set({jobs: new Map(get().jobs).set(server, jobs)});
		const tellEnds = (server: string, before: readonly JobOnDisk[], jobs: readonly JobOnDisk[]): void => {
			for (const {name, isRunning, hasFailed, words} of jobs)
				if (!isRunning && before.some(each => each.name === name && each.isRunning))
					notices(get).notify(
						hasFailed ? 'bad' : 'good',
						`${label(name, 64)} on ${label(server, 40)} ${words}`,
					);
		};
		return {
			async lookAtJobs(server) {
				clearTimeout(timers.get(server));
				const look = (looks.get(server) ?? 0) + 1;
				looks.set(server, look);
				const old = get().jobs.get(server) ?? idle;
				put(server, toLoading(old));
				const [{readJobs}, api] = await Promise.all([import('../../api/jobs/read-jobs.ts'), client()]);
				const before = old.value ?? [];
				const reply = await readJobs(api, server, before);
				if (looks.get(server) !== look) return;
				const settled = toSettled(get().jobs.get(server) ?? idle, reply, now());
				put(server, settled);
				if (reply.ok) tellEnds(server, before, reply.value);
				const isRefused = !reply.ok && reply.failure.kind === 'auth';
				if (!isRefused && settled.value?.some(({isRunning}) => isRunning))
					timers.set(server, setTimeout(() => void jobList(get).lookAtJobs(server), EVERY).unref());
			},
		};
	},
	firstJobs,
);
