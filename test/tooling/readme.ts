// README's generated tables: `npm run docs` writes them, a test compares them.
import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {Command} from 'commander';
import {addCommands} from '../../src/cli/command-table.ts';
import '../../src/tui/keys.ts';
import {markdownTable} from '../../src/text/columns/text-table.ts';
import {readmeKeys} from '../../src/tui/core/keys/key-table.ts';

const readme = join(import.meta.dirname, '../../README.md');

const leaves = (command: Command, path: string): (readonly string[])[] =>
	command
		.createHelp()
		.visibleCommands(command)
		.flatMap(each => {
			const name = `${path} ${each.name()}`;
			const below = leaves(each, name);
			// A group does nothing by itself, unless it has options.
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

const between = (text: string, name: string, content: string): string => {
	const pattern = new RegExp(`(<!-- ${name} -->\\n)[^]*?(\\n<!-- /${name} -->)`);
	if (!pattern.test(text)) throw new Error(`README.md has no place for its ${name}`);
	return text.replace(pattern, (_, before: string, after: string) => before + content + after);
};

/** README as it is and as it should be. */
export const checkReadme = async (): Promise<{readonly is: string; readonly shouldBe: string}> => {
	const is = await readFile(readme, 'utf8');
	return {is, shouldBe: between(between(is, 'commands', commandTable()), 'keys', readmeKeys())};
};

if (process.argv[1] === import.meta.filename) await writeFile(readme, (await checkReadme()).shouldBe);
