import {execFile} from 'node:child_process';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {Command} from 'commander';
import {expect, test} from 'vitest';
import {manPage} from '../../src/build/man-page.ts';
import {addCommands} from '../../src/cli/command-table.ts';

const root = join(import.meta.dirname, '../..');
const {version} = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {version: string};

/** Flags of every option in the help, with the name of every command. */
const shown = (command: Command): readonly string[] => [
	...command.options.filter(({hidden}) => !hidden).map(({flags}) => flags),
	...command
		.createHelp()
		.visibleCommands(command)
		.flatMap(each => [each.name(), ...shown(each)]),
];

test('the manual page that the build made is the one of the table of commands', async () => {
	expect(await readFile(join(root, 'dist/svc-tui.1'), 'utf8')).toBe(manPage(version));
});

test('the manual page names every command and option that the help shows', () => {
	const table = new Command('svc-tui').helpCommand(false);
	addCommands(table, () => {});
	const page = manPage(version).replaceAll('\\-', '-');
	expect(shown(table).filter(name => !page.includes(name))).toEqual([]);
});

test('roff finds nothing wrong with the manual page', async context => {
	const groff = promisify(execFile)('groff', ['-man', '-ww', '-z', '-Tutf8', join(root, 'dist/svc-tui.1')]);
	const result = await groff.catch((error: NodeJS.ErrnoException) => error);
	// The program that checks manual pages may be missing.
	if ('code' in result && result.code === 'ENOENT') return context.skip();
	expect(result).toEqual({stdout: '', stderr: ''});
});
