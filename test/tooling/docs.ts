// The generated tables of src/docs and the JSON files of schemas.ts. `npm run docs` writes them,
// and tests compare them.
import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {Command} from 'commander';
import {addCommands} from '../../src/cli/command-table.ts';
import '../../src/tui/feature-list.ts';
import {markdownTable} from '../../src/text/columns/text-table.ts';
import {markdownKeys} from '../../src/tui/core/keys/key-table.ts';
import {generatedFiles} from './schemas.ts';

const DOCS = join(import.meta.dirname, '../../src/docs');

const leaves = (command: Command, path: string): (readonly string[])[] =>
	command
		.createHelp()
		.visibleCommands(command)
		.flatMap(each => {
			const name = `${path} ${each.name()}`;
			const below = leaves(each, name);
			// A group of commands has no action itself, unless it has options.
			if (below.length > 0 && each.options.length === 0) return below;
			const usage = `${name} ${each.usage()}`.trim();
			return [
				[
					`\`${usage}\`${
						each.options.length > 0
							? `<br>${each.options
									.filter(({hidden}) => !hidden)
									.map(option => `\`${option.flags}\``)
									.join(' ')}`
							: ''
					}`,
					each.description(),
				],
				...below,
			];
		});

const commandTable = (): string => {
	const root = new Command('svc-tui').helpCommand(false);
	addCommands(root, () => {});
	return markdownTable(['command', 'what it does'], leaves(root, 'svc-tui')).replaceAll(' [options]', '');
};

const TABLES = {commands: commandTable, keys: markdownKeys} as const;

const between = (text: string, name: string, content: string): string => {
	const pattern = new RegExp(`(<!-- ${name} -->\\n)[^]*?(\\n<!-- /${name} -->)`);
	if (!pattern.test(text)) throw new Error(`${name}.md has no place for its table`);
	return text.replace(pattern, (_, before: string, after: string) => before + content + after);
};

/** Pages with generated tables: the current and the correct text of each. */
export const checkTables = async (): Promise<
	readonly {readonly file: string; readonly is: string; readonly shouldBe: string}[]
> =>
	Promise.all(
		Object.entries(TABLES).map(async ([name, table]) => {
			const file = join(DOCS, `${name}.md`);
			const is = await readFile(file, 'utf8');
			return {file, is, shouldBe: between(is, name, table())};
		}),
	);

/**
 * Generated JSON files: the current text of each, null if the file is missing, and the correct
 * text.
 */
export const checkGenerated = async (): Promise<
	readonly {readonly file: string; readonly is: string | null; readonly shouldBe: string}[]
> =>
	Promise.all(
		generatedFiles().map(async each => ({...each, is: await readFile(each.file, 'utf8').catch(() => null)})),
	);

if (process.argv[1] === import.meta.filename)
	for (const {file, is, shouldBe} of [...(await checkTables()), ...(await checkGenerated())]) {
		// Unchanged files are not written, so that `dist/` does not become outdated.
		if (is === shouldBe) continue;
		await mkdir(dirname(file), {recursive: true});
		await writeFile(file, shouldBe);
	}
