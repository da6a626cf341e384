import type {LiveSession} from '../../src/api/client-types.ts';
import {sessionOf} from '../../src/run/open-kernel.ts';

/** Session of a REPL whose cells run in a kernel of this name. */
export const sessionOfRepl = (kernel: string): LiveSession => sessionOf({kind: 'repl', kernel});

export const REPL = sessionOfRepl('python3');

export const sessionOfNotebook = (path: string, kernel = 'python3'): LiveSession =>
	sessionOf({kind: 'notebook', path, kernel});
