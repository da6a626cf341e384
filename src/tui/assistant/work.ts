import type {Client, Live} from '../../api/client-types.ts';
import type {TaskJournal} from '../../storage/tasks.ts';
import type {DiffLine} from '../../text/columns/diff-lines.ts';
import type {Decision, Kind} from '../../work/permission.ts';

/** A step that the person is to decide on. */
export type PermitQuestion = {
	readonly title: string;
	readonly kind: Kind;
	/** Of a dotfile or a key: a yes holds for this step alone. */
	readonly isPrivate: boolean;
	/** The folder for which its kind can be allowed; null where that means nothing. */
	readonly folder: string | null;
	/** What it means to allow it. */
	readonly note: string;
	/** Its code, or what it changes. */
	readonly rows: readonly DiffLine[];
};

/** What the store hears of a task that goes on. */
type Hear = {
	text(markdown: string): void;
	waits(question: PermitQuestion | null): void;
	asks(isAsking: boolean): void;
};

export type WorkPlace = {
	readonly client: Client;
	readonly server: string;
	readonly model: string;
	/** The server's own interface; null where there is none. */
	readonly live: Live | null;
	/** Shows a step that waits for permission. What is loaded late has keys of its own, which nobody set. */
	readonly decideKey: string;
	readonly hear: Hear;
};

/** A task that goes on. */
export type WorkHandle = {
	/** Never rejects. */
	readonly ended: Promise<{readonly phase: string; readonly says?: string}>;
	decide(decision: Decision): void;
	reply(text: string): void;
	/** After the step that runs; once more: now. */
	stop(): void;
	/** Shows code and output of the steps, or only their lines. */
	toggle(): void;
};

/** Where the journals of tasks are. Both throw Node's errors. */
export type TaskJournals = {
	begin(server: string, id: string): TaskJournal;
	last(server: string): TaskJournal | null;
};
