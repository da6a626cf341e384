import type {FileEntry} from '../contract/files.ts';
import type {DiffLine} from '../text/diff-lines.ts';
import type {EditedText} from './deps.ts';

/** A text that is about to be written to a file of a server. */
export type Writing = {
	/** Tells one from another of the same file. */
	readonly id: number;
	readonly server: string;
	readonly path: string;
	/** The file as it was when the work on it began; null: there was none. */
	readonly base: FileEntry | null;
	readonly mine: string;
	/** The private copy that an editor worked on. */
	readonly copy: EditedText | null;
	/** What stands there now, when it is not what it was: null is gone. */
	readonly theirs?: FileEntry | null;
	/** `diff` shows it before it is written; `conflict` asks what to do about another's change; `overwrite` asks once more. */
	readonly stage: 'diff' | 'conflict' | 'overwrite';
	readonly shown: 'mine' | 'theirs';
	readonly rows: readonly DiffLine[];
	readonly isSaving: boolean;
	/** Why it was not written. */
	readonly refusal: string | null;
};
