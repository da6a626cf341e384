import type {Attachment} from '../../work/mentions.ts';
import type {NamedCell} from '../cells/places.ts';
import {port} from '../core/ports.ts';

/**
 * Runs texts of code one after the other in a server's REPL, until one fails. `language` is the
 * language of the code, or '' if unknown. If the REPL's kernel has another language, nothing runs
 * and the code's language is returned.
 */
export const runInRepl = port<
	[server: string, sources: readonly string[], language: string],
	string | undefined
>('runInRepl');
/**
 * Selects the cell of a server's REPL that a traceback mentions. Returns a sentence if it cannot.
 */
export const showReplCell = port<[server: string, place: NamedCell], string | void>('showReplCell');
/**
 * Selects the cell that a traceback mentions, in the notebook of a server's viewer. Returns a
 * sentence if it cannot.
 */
export const showNotebookCell = port<[server: string, place: NamedCell], string | void>('showNotebookCell');
/** Puts an unsaved text back into the prompt of a server's REPL. */
export const restoreCode = port<[server: string, code: string]>('restoreCode');
/** Puts an unsaved text back into the question field of a server's assistant. */
export const restoreQuestion = port<[server: string, question: string]>('restoreQuestion');
/**
 * Attaches something to the next question and focuses the question field. Returns a sentence if it
 * cannot.
 */
export const attach = port<[attachment: Attachment], string | void>('attach');
