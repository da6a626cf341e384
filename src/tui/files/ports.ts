import type {Attachment} from '../../work/mentions.ts';
import {port} from '../core/ports.ts';

/**
 * Runs code in a server's REPL, one text after the other up to one that fails. Returns the language
 * of the code, which does not run, if the REPL's kernel is of another. `language` may be unknown: ''.
 */
export const runInRepl = port<
	[server: string, sources: readonly string[], language: string],
	string | undefined
>('runInRepl');
/** Puts an unsaved text back into the prompt of a server's REPL. */
export const restoreCode = port<[server: string, code: string]>('restoreCode');
/** Puts an unsaved text back into the question to a server's assistant. */
export const restoreQuestion = port<[server: string, question: string]>('restoreQuestion');
/** Attaches something to the next question. Returns the reason if it cannot. */
export const attach = port<[attachment: Attachment], string | void>('attach');
