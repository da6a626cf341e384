import type {Attachment} from '../../work/mentions.ts';
import type {NamedCell} from '../cells/places.ts';
import {port} from '../core/ports.ts';

/**
 * Runs code in a server's REPL, one text after the other, until one fails. If the REPL's kernel is
 * for another language than the code, runs nothing and returns the code's language. `language` is
 * '' if unknown.
 */
export const runInRepl = port<
	[server: string, sources: readonly string[], language: string],
	string | undefined
>('runInRepl');
/** Selects the cell of a server's REPL that a traceback names. Returns a sentence if it cannot. */
export const showReplCell = port<[server: string, place: NamedCell], string | void>('showReplCell');
/** Selects the cell of the notebook in a server's viewer that a traceback names. */
export const showNotebookCell = port<[server: string, place: NamedCell], string | void>('showNotebookCell');
/** Restores an unsaved text to the prompt of a server's REPL. */
export const restoreCode = port<[server: string, code: string]>('restoreCode');
/** Restores an unsaved text to the question for a server's assistant. */
export const restoreQuestion = port<[server: string, question: string]>('restoreQuestion');
/**
 * Attaches something to the next question, and moves the focus there. Returns a sentence if it
 * cannot.
 */
export const attach = port<[attachment: Attachment], string | void>('attach');
