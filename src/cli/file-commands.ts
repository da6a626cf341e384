import {Option, type Command} from 'commander';
import {add, type Runs} from './add-command.ts';
import {EXISTING} from './existing.ts';

const existing = (what: string): Option => new Option('--existing <WHAT>', what).choices(EXISTING);

/** Values of an option that may be repeated. */
export const collected = (value: string, before: readonly string[] = []): readonly string[] => [
	...before,
	value,
];

export const addFiles = (root: Command, runs: Runs): void => {
	const files = add(
		root,
		'files list|get|put|grep|table|sync|mv|mkdir|rm ...',
		'list, download, upload, search, sync, move or delete files on a server',
	).helpCommand(false);
	add(files, 'list SERVER [PATH]', 'list a folder or a file')
		.argument('<SERVER>')
		.argument('[PATH]', 'folder or file (default: the root)')
		.action(runs(async () => (await import('./files.ts')).listFiles));
	add(files, 'get SERVER PATH [-o FILE]', 'print or download a file, or download a folder')
		.argument('<SERVER>')
		.argument('<PATH>')
		.option('-o, --output <FILE>', 'write to this file, or into this folder')
		.addOption(
			existing('for a folder: overwrite (default) or skip existing local files; asks about hidden ones'),
		)
		.action(runs(async () => (await import('./files.ts')).getFile));
	add(files, 'put SERVER LOCAL|- [LOCAL ...] [REMOTE]', 'upload files')
		.argument('<SERVER>')
		.argument(
			'<LOCAL...>',
			"local files, folders or 'patterns', or - for standard input; the last argument is the destination (default: the local name; for several, a folder ending in /)",
		)
		.addOption(existing('existing files on the server: overwrite (default) or skip'))
		.action(runs(async () => (await import('./files.ts')).putFile));
	add(
		files,
		'grep SERVER PATTERN [PATH] [options]',
		'search text in files, by code on the server; exits with 1 if nothing matches',
	)
		.argument('<SERVER>')
		.argument('<PATTERN>', 'regular expression in the syntax of Python')
		.argument('[PATH]', 'folder or file (default: the root)')
		.option('-i, --ignore-case', 'treat upper and lower case as equal')
		.option('-F, --fixed', 'search for PATTERN as plain text')
		.option('-C, --context <N>', 'also print this many lines before and after each match')
		.option('--limit <N>', 'stop after this many matches (default 1000)')
		.action(runs(async () => (await import('./search-files.ts')).grepFiles));
	add(
		files,
		'table SERVER PATH [options]',
		'print rows of a file that is a table: CSV, Parquet, SQLite and others',
	)
		.argument('<SERVER>')
		.argument('<PATH>')
		.option('--table <NAME>', 'table of a SQLite file, or sheet of a workbook, that has several')
		.option('--where <TEST>', 'rows to print, such as price>3, name=Oslo or words (repeatable)', collected)
		.option('--sort <COLUMN>', 'column to sort by; -COLUMN for the reverse')
		.option('--rows <N>', 'print this many rows at most (default 100)')
		.option('--columns <LIST>', 'columns to print, in this order, separated by commas')
		.option('--encoding <E>', 'encoding of a text, such as windows-1252 (default: detected)')
		.option(
			'--separator <C>',
			'separator of a CSV: comma, semicolon, tab, pipe or a character (default: detected)',
		)
		.option('--quote <KIND>', 'quotes of a CSV: double, single or none (default: detected)')
		.option('--decimal <MARK>', 'decimal mark of a text: point or comma (default: by column)')
		.action(runs(async () => (await import('./file-table.ts')).printTable));
	add(
		files,
		'sync LOCAL SERVER:PATH [options]',
		'upload the differences between a local folder and one on a server',
	)
		.argument('<LOCAL>', 'local folder; .git, symbolic links and files in .gitignore are skipped')
		.argument('<SERVER:PATH>', 'folder on the server, created if missing; SERVER: is the root')
		.option('--delete', 'delete files on the server that do not exist locally; asks first')
		.option('--dry-run', 'only show what would be done')
		.option('--watch', 'keep watching and uploading changes until Ctrl-C')
		.option('--yes', 'delete without asking (required without a terminal)')
		.action(runs(async () => (await import('./sync.ts')).syncFiles));
	add(files, 'mv SERVER OLD [OLD ...] NEW', 'rename a file or folder, or move several into a folder')
		.argument('<SERVER>')
		.argument(
			'<PATH...>',
			'paths to move, then the new path; an existing folder or a trailing / keeps the name',
		)
		.action(runs(async () => (await import('./file-operations.ts')).moveFile));
	add(files, 'mkdir SERVER PATH', 'create a folder and its parents')
		.argument('<SERVER>')
		.argument('<PATH>')
		.action(runs(async () => (await import('./file-operations.ts')).makeFolder));
	add(files, 'rm SERVER PATH [PATH ...] [-r]', 'delete files; this cannot be undone')
		.argument('<SERVER>')
		.argument('<PATH...>')
		.option('-r, --recursive', 'also delete folders and their contents')
		.action(runs(async () => (await import('./file-operations.ts')).removeFile));
};
