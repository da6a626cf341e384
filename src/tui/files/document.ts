// Interface for files that the user edits in the viewer itself. A feature later in the feature list
// implements it: notebook.
import type {EditedText} from '../core/store/deps.ts';
import type {FileEntry} from '../../contract/files.ts';
import {port} from '../core/ports.ts';
import type {Rect, Scope, State} from '../core/program.ts';
import type {ServerFile} from './content.ts';

/** A document in the viewer, in place of the file's text. */
export type DocumentView = {
	readonly title: string;
	readonly rows: readonly string[];
	/** Position of the cursor in cells, from the start of the title. Null without a cursor. */
	readonly cursor: {readonly x: number; readonly y: number} | null;
};

/** Unsaved text of an earlier run. `before` is the text that the user started from. */
type UnsavedText = ServerFile & {readonly before: string; readonly mine: string; readonly copy: EditedText};

export type DocumentKind = {
	/** Opens the file in a server's viewer as a document. Resolves to the reason if it cannot. */
	open(server: string): Promise<string | void>;
	/** Opens an unsaved text. Resolves to false if the text is not such a document. */
	resume(text: UnsavedText): Promise<boolean>;
	/** Scope for the keys of the document in a server's viewer; undefined without a document. */
	scope(state: State, server: string): Scope | undefined;
	/** React hook that returns the document; null if none is open in the server's viewer. */
	useView(server: string, rect: Rect, hasKeys: boolean): DocumentView | null;
	/** Finished work of the server's documents, for the badge of the tab. */
	ended(state: State, server: string): {readonly count: number; readonly failed: boolean};
	/** Called after the document's text was saved to the file. */
	saved(file: ServerFile, entry: FileEntry, text: string): void;
	/** Called when the user has discarded a document's unsaved text for the file's content. */
	left(file: ServerFile): void;
	/** Reason why a file or folder cannot be moved because of a document; undefined if it can. */
	heldBy(server: string, path: string): string | undefined;
	/** Called after a file or a folder with documents was moved. */
	moved(server: string, from: string, to: string): void;
};

export const documents = port<[], DocumentKind>('documents');
