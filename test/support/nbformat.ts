import {spawnSync} from 'node:child_process';

const PYTHON = '/usr/bin/python3';
// Validates the original JSON, not nbformat's normalised form.
const CHECK =
	'import sys, json, nbformat\nfor text in json.load(sys.stdin): nbformat.validate(json.loads(text))\nprint("valid")';

export const hasNbformat = spawnSync(PYTHON, ['-c', 'import nbformat']).status === 0;
if (!hasNbformat)
	console.warn('\n*** SKIPPED: nothing is shown to nbformat: python3-nbformat is not installed ***\n');

/** Messages of nbformat's validator for the texts of notebooks; `valid` if there are none. */
export const nbformatSays = (texts: readonly string[]): string => {
	const {stdout, stderr} = spawnSync(PYTHON, ['-W', 'ignore', '-c', CHECK], {
		input: JSON.stringify(texts),
		encoding: 'utf8',
	});
	return stdout.trim() || stderr;
};
