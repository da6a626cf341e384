// Files that are edited in place in the viewer. A higher feature provides how: notebooks.
import type {EditedText} from '../core/store/deps.ts';
import type {FileEntry} from '../../contract/files.ts';
import {port} from '../core/ports.ts';
import type {Rect, Scope, State} from '../core/program.ts';
import type {ServerFile} from './content.ts';

/** A document in the viewer, in place of the file's text. */
export type DocumentView = {
	readonly title: string;
	readonly rows: readonly string[];
	/** In cells from the start of the title. Null while the document has no cursor. */
	readonly cursor: {readonly x: number; readonly y: number} | null;
};

/** An unsaved text of an earlier program, over the text that it started from. */
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
	/** A text of the document is in the file now. */
	saved(file: ServerFile, entry: FileEntry, text: string): void;
	/** The unsaved text of a document was given up for what is in the file. */
	left(file: ServerFile): void;
	/** Reason why a file or a folder with documents cannot be moved. */
	heldBy(server: string, path: string): string | undefined;
	/** A file or a folder with documents has another path now. */
	moved(server: string, from: string, to: string): void;
};

export const documents = port<[], DocumentKind>('documents');
