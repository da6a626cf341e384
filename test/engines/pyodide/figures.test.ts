import {execFile} from 'node:child_process';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {expect, test} from 'vitest';

const FILE = join(import.meta.dirname, '../../../src/engines/pyodide/figures.py');

// Runs with this machine's matplotlib, because that of Pyodide must be downloaded.
const PROGRAM = `
import os, pathlib, sys, types
shown = []
outputs = types.ModuleType('engine_outputs')
outputs.display = lambda value: shown.append((repr(value), value._repr_png_()[:8]))
sys.modules['engine_outputs'] = outputs
figures = types.ModuleType('engine_figures')
sys.modules['engine_figures'] = figures
exec(compile(pathlib.Path(sys.argv[1]).read_text(), '<engine figures>', 'exec'), figures.__dict__)
figures.show()
os.environ['MPLBACKEND'] = 'module://engine_backend'
import matplotlib.pyplot as plt
plt.plot([1, 2])
plt.show()
print(shown, plt.get_fignums())
plt.figure(figsize=(2, 1), dpi=50)
figures.show()
print(shown[1:], plt.get_fignums())
`;

test('figures of matplotlib come as pictures, each once, by show or at the end of a cell', async () => {
	const {stdout} = await promisify(execFile)('/usr/bin/python3', ['-c', PROGRAM, FILE]);
	const picture = String.raw`b'\x89PNG\r\n\x1a\n'`;
	expect(stdout.split('\n').slice(0, 2)).toEqual([
		`[('<Figure size 640x480 with 1 Axes>', ${picture})] []`,
		`[('<Figure size 100x50 with 0 Axes>', ${picture})] []`,
	]);
});
