// Files that are edited in place in the viewer. A later feature provides the kind of document:
// notebooks.
import type {EditedText} from '../core/store/deps.ts';
import type {FileEntry} from '../../contract/files.ts';
import {port} from '../core/ports.ts';
import type {Rect, Scope, State} from '../core/program.ts';
import type {ServerFile} from './content.ts';

/** A document in the viewer, in place of the file's text. */
export type DocumentView = {
	readonly title: string;
	readonly rows: readonly string[];
	/** Position in cells from the start of the title. Null while the document has no cursor. */
	readonly cursor: {readonly x: number; readonly y: number} | null;
};

/** Unsaved text of an earlier program, with the text that it started from. */
type UnsavedText = ServerFile & {readonly before: string; readonly mine: string; readonly copy: EditedText};

export type DocumentKind = {
	/** Opens the file in a server's viewer as a document. Resolves to the reason if it cannot. */
	open(server: string): Promise<string | void>;
	/** Opens an unsaved text. Resolves to false if it is not such a document. */
	resume(text: UnsavedText): Promise<boolean>;
	/** Scope of the keys of the document in a server's viewer; undefined if none is open there. */
	scope(state: State, server: string): Scope | undefined;
	/** A React hook. Null if no document is open in the server's viewer. */
	useView(server: string, rect: Rect, hasKeys: boolean): DocumentView | null;
	/** Work of the server's documents that has ended, as for a tab. */
	ended(state: State, server: string): {readonly count: number; readonly failed: boolean};
	/** Called after a text of the document was saved to the file. */
	saved(file: ServerFile, entry: FileEntry, text: string): void;
	/** Called when the unsaved text of a document was discarded for the file's content. */
	left(file: ServerFile): void;
	/** Reason why a file or a folder with documents cannot be moved. */
	heldBy(server: string, path: string): string | undefined;
	/** Called after a file or a folder with documents was moved. */
	moved(server: string, from: string, to: string): void;
};

export const documents = port<[], DocumentKind>('documents');
