import {keyOf, type ServerFile} from '../content.ts';

/** A text that is being saved. */
type Text = ServerFile & {readonly mine: string};
type Job = {readonly text: Text; readonly end: Promise<string | null>};

/** Saves under way: those of one file follow each other, so that the last text wins. `changed` is called with their paths. */
export const saveQueue = (changed: (paths: readonly string[]) => void) => {
	let jobs: readonly Job[] = [];
	const latest = (file: ServerFile): Job | undefined =>
		jobs.findLast(({text}) => keyOf(text) === keyOf(file));
	const setJobs = (next: readonly Job[]): void => {
		jobs = next;
		changed(jobs.map(({text}) => text.path));
	};
	return {
		/** `save` is given what the save before it has left in the file, and answers what it has left there; null: nothing. */
		async add(text: Text, save: (earlier: Promise<string | null>) => Promise<string | null>): Promise<void> {
			const job = {text, end: save(latest(text)?.end ?? Promise.resolve(null))};
			setJobs([...jobs, job]);
			await job.end;
			setJobs(jobs.filter(each => each !== job));
		},
		/** The text that is on its way to a file. */
		onItsWay: (file: ServerFile): string | undefined => latest(file)?.text.mine,
		/** Resolves when nothing is being saved any more: false when something was not saved. */
		end: async (): Promise<boolean> => !(await Promise.all(jobs.map(({end}) => end))).includes(null),
	};
};
