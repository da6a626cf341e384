import type {Client} from '../api/client-types.ts';
import {explainFailure} from '../api/failure.ts';
import type {FileEntry} from '../contract/files.ts';
import {areSame, holds, keyOf, readFile, sentence, type Place, type Present} from './file-content.ts';
import type {Writing} from './writing.ts';

/** The service refuses a save since the file holds something else than its tag says. */
const OTHER_CONTENT = 412;

/** Where what comes of a save is told; all but `saved` mean that it was not saved. */
type Told = {
	readonly client: () => Promise<Client>;
	saved(writing: Writing, entry: FileEntry): void;
	refuse(writing: Writing, why: string): void;
	conflict(writing: Writing, theirs: FileEntry | null): Promise<void>;
	/** The paths that are being saved have changed. */
	changed(paths: readonly string[]): void;
};

/** Saves texts, each against what it was written over: GET, compare, PUT, and with the tag of what was compared where the service gives one. */
export const fileSaving = ({client, saved, refuse, conflict, changed}: Told) => {
	const refused = (writing: Writing, why: string): null => {
		refuse(writing, why);
		return null;
	};
	/** Writes it, as long as what is there is `present`. */
	const put = async (writing: Writing, {entry: present, tag}: Present): Promise<FileEntry | null> => {
		const service = await client();
		const reply = await service.putFile(writing.server, writing.path, {content: writing.mine, format: 'text', type: 'file'}, {tag});
		if (reply.ok) return reply.value;
		const {failure} = reply;
		if (!failure.ambiguous && failure.status !== OTHER_CONTENT) return refused(writing, `Not saved. ${sentence(failure)}`);
		// The answer is lost, or another was quicker: what stands there now tells.
		const now = await readFile(service, writing);
		if ('failure' in now) return refused(writing, `The service did not answer, so it is not known whether this was saved. ${explainFailure(now.failure).next}`);
		if (holds(now.entry, writing.mine)) return now.entry;
		if (areSame(now.entry, present)) {
			// Tags that do not follow the content say nothing about it.
			if (failure.status === OTHER_CONTENT && tag !== null) return put(writing, {entry: present, tag: null});
			return refused(writing, `Not saved. ${sentence({...failure, ambiguous: false})}`);
		}
		await conflict(writing, now.entry);
		return null;
	};
	/** `own`: what a save before this one has left there. */
	const save = async (writing: Writing, own: string | null): Promise<FileEntry | null> => {
		const now = await readFile(await client(), writing);
		if ('failure' in now) return refused(writing, `Not saved. ${sentence(now.failure)}`);
		const expected = writing.stage === 'diff' ? writing.base : (writing.theirs ?? null);
		if (areSame(now.entry, expected) || holds(now.entry, own)) return put(writing, now);
		if (holds(now.entry, writing.mine)) return now.entry;
		await conflict(writing, now.entry);
		return null;
	};

	type Turn = {readonly writing: Writing; readonly end: Promise<string | null>};
	/** Saves under way. */
	let turns: readonly Turn[] = [];
	const latest = (place: Place): Turn | undefined => turns.findLast(({writing}) => keyOf(writing) === keyOf(place));
	const setTurns = (next: readonly Turn[]): void => {
		turns = next;
		changed(turns.map(({writing}) => writing.path));
	};
	return {
		/** Those of one file follow each other, so that the last text wins. */
		async save(writing: Writing): Promise<void> {
			const earlier = latest(writing);
			/** What it has left there; null: nothing. */
			const run = async (): Promise<string | null> => {
				try {
					const entry = await save(writing, (await earlier?.end) ?? null);
					if (entry) saved(writing, entry);
					return entry && writing.mine;
				} catch (error) {
					return refused(writing, error instanceof Error ? error.message : String(error));
				}
			};
			const turn = {writing, end: run()};
			setTurns([...turns, turn]);
			await turn.end;
			setTurns(turns.filter(each => each !== turn));
		},
		/** The text that is on its way to a file. */
		onItsWay: (place: Place): string | undefined => latest(place)?.writing.mine,
		/** Resolves when nothing is being saved any more: false when something was not saved. */
		end: async (): Promise<boolean> => !(await Promise.all(turns.map(({end}) => end))).includes(null),
	};
};
