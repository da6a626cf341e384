import type {Client, Live} from '../../api/client-types.ts';
import type {TaskJournal} from '../../storage/tasks.ts';
import type {DiffLine} from '../../text/columns/diff-lines.ts';
import type {Decision, Kind} from '../../work/permission.ts';

/** A step that needs the user's decision. */
export type PermitQuestion = {
	readonly title: string;
	readonly kind: Kind;
	/** True for a dotfile or a key file: permission is for this step only. */
	readonly isPrivate: boolean;
	/** Folder to which a permission for all steps of this kind can be limited; null for none. */
	readonly folder: string | null;
	/** Consequence of giving the permission. */
	readonly note: string;
	/** Code that the step runs, or changes that it makes. */
	readonly rows: readonly DiffLine[];
};

/** Callbacks that report a running task to the store. */
type Hear = {
	text(markdown: string): void;
	waits(question: PermitQuestion | null): void;
	asks(isAsking: boolean): void;
};

export type WorkPlace = {
	readonly client: Client;
	readonly server: string;
	readonly model: string;
	/** The server's own API; null without one. */
	readonly live: Live | null;
	/**
	 * Key that shows a step that waits for permission. Passed in, because the key table of a bundle
	 * that loads late is empty.
	 */
	readonly decideKey: string;
	readonly hear: Hear;
};

export type WorkHandle = {
	/** Never rejects. */
	readonly ended: Promise<{readonly phase: string; readonly says?: string}>;
	decide(decision: Decision): void;
	reply(text: string): void;
	/** Stops after the current step; a second call stops that step too. */
	stop(): void;
	/** Shows code and output of the steps, or only their lines. */
	toggle(): void;
};

/** The journals of tasks. Both functions throw Node's errors. */
export type TaskJournals = {
	begin(server: string, id: string): TaskJournal;
	last(server: string): TaskJournal | null;
};
