// README's generated tables: `npm run docs` writes them, a test compares them.
import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {Command} from 'commander';
import {addCommands} from '../commands/command-table.ts';
import {keymap, type Binding, type Scope} from '../ui/keys/keymap.ts';

const readme = join(import.meta.dirname, '../../README.md');

const WHERE: Readonly<Record<Scope, string>> = {
	always: 'always', anywhere: 'also while typing', global: 'where no text is typed', servers: 'servers', compute: 'compute', environments: 'environments',
	offline: 'a server that is offline', tree: 'file tree', viewer: 'file viewer', repl: 'REPL, typing code', cells: 'REPL, reading', assistant: 'assistant, typing', turns: 'assistant, reading',
	confirm: 'a question', form: 'create form', picker: 'a choice', help: 'help',
};

const shown = (key: string): string => `\`${key.replaceAll(/(^|[+ ])(\w)(?=\w)/g, (_, before: string, letter: string) => before + letter.toUpperCase())}\``;

const keyTable = (): string => Object.entries(keymap).map(([scope, bindings]) => {
	const rows = (bindings as readonly Binding[]).map(({keys, label}) => `${keys.map(shown).join(' ')} ${label.toLowerCase()}`);
	return `**${WHERE[scope as Scope]}**: ${rows.join(' · ')}`;
}).join('\n\n');

const leaves = (command: Command, path: string): string[] => command.commands.flatMap(each => {
	const name = `${path} ${each.name()}`;
	if (each.commands.length > 0) return leaves(each, name);
	return [`| \`${name} ${each.usage()}\`${each.options.length > 0 ? `<br>${each.options.map(option => `\`${option.flags}\``).join(' ')}` : ''} | ${each.description()} |`];
});

const commandTable = (): string => {
	const root = new Command('svc-tui');
	addCommands(root, () => {});
	return ['| command | what it does |', '|---|---|', ...leaves(root, 'svc-tui')].join('\n').replaceAll(' [options]', '');
};

const between = (text: string, name: string, content: string): string => {
	const pattern = new RegExp(`(<!-- ${name} -->\\n)[^]*?(\\n<!-- /${name} -->)`);
	if (!pattern.test(text)) throw new Error(`README.md has no place for its ${name}`);
	return text.replace(pattern, (_, before: string, after: string) => before + content + after);
};

/** README as it is and as it should be. */
export const checkReadme = async (): Promise<{readonly is: string; readonly shouldBe: string}> => {
	const is = await readFile(readme, 'utf8');
	return {is, shouldBe: between(between(is, 'commands', commandTable()), 'keys', keyTable())};
};

if (process.argv[1] === import.meta.filename) await writeFile(readme, (await checkReadme()).shouldBe);
