import {spawnSync} from 'node:child_process';

const PYTHON = '/usr/bin/python3';
// What JSON nbformat was given is validated, not what it would make of it.
const CHECK =
	'import sys, json, nbformat\nfor text in json.load(sys.stdin): nbformat.validate(json.loads(text))\nprint("valid")';

/** Debian's python3-nbformat is here. */
export const hasNbformat = spawnSync(PYTHON, ['-c', 'import nbformat']).status === 0;
if (!hasNbformat)
	console.warn('\n*** SKIPPED: nothing is shown to nbformat: python3-nbformat is not installed ***\n');

/** What nbformat's own validator says of texts of notebooks; `valid` when it has nothing against them. */
export const nbformatSays = (texts: readonly string[]): string => {
	const {stdout, stderr} = spawnSync(PYTHON, ['-W', 'ignore', '-c', CHECK], {
		input: JSON.stringify(texts),
		encoding: 'utf8',
	});
	return stdout.trim() || stderr;
};
