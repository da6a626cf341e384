import {keyOf, type ServerFile} from '../content.ts';

/** A text that is being saved. */
type Text = ServerFile & {readonly mine: string};
type Job = {readonly text: Text; readonly end: Promise<string | null>};

/**
 * Saves in progress. Saves of one file run one after the other, so that the last text wins.
 * `changed` receives the paths that are being saved.
 */
export const saveQueue = (changed: (paths: readonly string[]) => void) => {
	let jobs: readonly Job[] = [];
	const latest = (file: ServerFile): Job | undefined =>
		jobs.findLast(({text}) => keyOf(text) === keyOf(file));
	const setJobs = (next: readonly Job[]): void => {
		jobs = next;
		changed(jobs.map(({text}) => text.path));
	};
	return {
		/**
		 * `save` receives the content that the previous save wrote to the file, and resolves to the
		 * content that it has written itself. Null means that nothing was written.
		 */
		async add(text: Text, save: (earlier: Promise<string | null>) => Promise<string | null>): Promise<void> {
			const job = {text, end: save(latest(text)?.end ?? Promise.resolve(null))};
			setJobs([...jobs, job]);
			await job.end;
			setJobs(jobs.filter(each => each !== job));
		},
		/** The newest text that is being saved to a file; undefined if there is none. */
		onItsWay: (file: ServerFile): string | undefined => latest(file)?.text.mine,
		/** Resolves once no save is in progress; false if one failed. */
		end: async (): Promise<boolean> => !(await Promise.all(jobs.map(({end}) => end))).includes(null),
	};
};
