import {loadPyodide} from 'pyodide';
import {writeAtomically} from '../../machine/atomic-write.ts';

// Modules that the runner and tracebacks import. Importing them takes no time if they are in the
// snapshot.
const WARM_MODULES =
	'__future__, _suggestions, ast, asyncio, base64, codeop, difflib, getpass, inspect, json, linecache, os, pkgutil, random, time, traceback, types, pyodide.ffi';

/** Writes a memory snapshot of a newly started Python (about 32 MB) to `target`, atomically. */
export const makeSnapshot = async (target: string): Promise<void> => {
	const py = await loadPyodide({
		_makeSnapshot: true,
		jsglobals: Object.create(null) as object,
		env: {PYTHONHASHSEED: '0'},
	});
	py.runPython(`import ${WARM_MODULES}`, {globals: py.toPy({})});
	await writeAtomically(target, py.makeMemorySnapshot());
};
