import type {Document} from '../../../run/open-kernel.ts';
import type {Editor} from '../../../text/editor/editor.ts';
import type {Rect, State} from '../../core/program.ts';

/** A field for code, with access to its kernel. */
export type CodeField = {
	readonly server: string;
	/** Path of the notebook that contains the field; undefined for the field of the REPL. */
	readonly notebook?: string;
	/** The typed code; null while another field has focus. */
	readonly typed: (state: State) => Editor | null;
	readonly put: (state: State, next: Editor) => void;
	/** Document whose kernel completes and documents the code. */
	readonly kernel: (state: State) => {readonly document: Document; readonly isBusy: boolean};
	/** Determines the kernel of the field. Resolves to a sentence if the user must choose one. */
	readonly unchosen?: (state: State) => Promise<string | null>;
	/** Code whose names are offered if no kernel responds, newest last. */
	readonly sources: (state: State) => readonly string[];
	/** Number of rows that help may cover in a pane of this size. */
	readonly room: (state: State, rect: Rect) => number;
};
