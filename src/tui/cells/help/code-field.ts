import type {Editor} from '../../../text/editor/editor.ts';
import type {Rect, State} from '../../core/program.ts';

/** A field in which code is typed, whose kernel may be asked about it. */
export type CodeField = {
	readonly server: string;
	/** Path of the notebook that it is in; undefined: it is the REPL's. */
	readonly notebook?: string;
	/** What is typed there; null while the keys go elsewhere. */
	readonly typed: (state: State) => Editor | null;
	readonly put: (state: State, next: Editor) => void;
	readonly kernel: (state: State) => {readonly name: string; readonly isBusy: boolean};
	/** Looks up which kernel that is. A sentence: it has to be chosen before it can be asked. */
	readonly unchosen?: (state: State) => Promise<string | null>;
	/** Code whose names are offered where no kernel can be asked, the newest last. */
	readonly sources: (state: State) => readonly string[];
	/** Rows around it that the documentation may cover, in a pane of this size. */
	readonly room: (state: State, rect: Rect) => number;
};
