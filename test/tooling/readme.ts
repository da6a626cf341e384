// README's generated tables: `npm run docs` writes them, a test compares them.
import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {Command} from 'commander';
import {addCommands} from '../../src/commands/command-table.ts';
import {keymap, type Binding, type Scope} from '../../src/ui/keys/keymap.ts';

const readme = join(import.meta.dirname, '../../README.md');

const WHERE: Readonly<Record<Scope, string>> = {
	always: 'always',
	anywhere: 'also while typing',
	global: 'where no text is typed',
	servers: 'servers',
	compute: 'compute',
	filter: 'a filter',
	environments: 'environments',
	offline: 'a server that is offline',
	tree: 'file tree',
	viewer: 'file viewer',
	marks: 'marked lines',
	find: 'find in a file',
	repl: 'REPL, typing code',
	cells: 'REPL, reading',
	cellFind: 'finding in the cells',
	assistant: 'assistant, typing',
	suggest: 'assistant, behind @ or /',
	turns: 'assistant, reading',
	packet: 'what would be sent to explain an error',
	confirm: 'a question',
	review: 'end of a form',
	form: 'form of a server',
	reader: 'details',
	addresses: 'addresses',
	told: 'something told',
	picker: 'a choice',
	table: 'side by side, changes',
	chooser: 'palette, command line, help',
	signIn: 'sign in',
	requests: 'requests',
	overwrite: 'moving a file that is there already',
	writing: 'what would be written',
	conflict: 'a file that another has changed',
};

const shown = (key: string): string => `\`${key.replaceAll(/(^|[+ ])(\w)(?=\w)/g, (_, before: string, letter: string) => before + letter.toUpperCase())}\``;

/** What several scopes have in common is told once. */
const SHARED: readonly {readonly where: string; readonly scopes: readonly Scope[]}[] = [
	{where: 'in every list', scopes: ['servers', 'compute', 'environments', 'tree', 'picker', 'requests']},
	{where: 'in every text', scopes: ['viewer', 'marks', 'cells', 'turns', 'reader', 'packet', 'writing', 'conflict']},
	{where: 'in every field', scopes: ['repl', 'assistant', 'filter', 'find', 'cellFind', 'chooser', 'form']},
	{where: 'typing code or a question', scopes: ['repl', 'assistant']},
];

const rowOf = ({keys, label}: Binding): string => `${keys.map(shown).join(' ')} ${label}`;
const rowsOf = (scope: Scope): readonly string[] => (keymap[scope] as readonly Binding[]).map(rowOf);

const keyTable = (): string => {
	const told = new Set<string>();
	const shared = SHARED.map(({where, scopes}) => {
		const rows = rowsOf(scopes[0] ?? 'always').filter(row => scopes.every(scope => rowsOf(scope).includes(row)));
		const fresh = rows.filter(row => !scopes.every(scope => told.has(`${scope} ${row}`)));
		for (const row of rows) for (const scope of scopes) told.add(`${scope} ${row}`);
		return {where, scopes, rows: fresh};
	});
	const own = (Object.keys(keymap) as Scope[]).map(scope => {
		const told = shared.flatMap(each => (each.scopes.includes(scope) ? each.rows : []));
		return {where: WHERE[scope], rows: rowsOf(scope).filter(row => !told.includes(row))};
	});
	return [...shared, ...own].filter(({rows}) => rows.length > 0).map(({where, rows}) => `- **${where}**: ${rows.join(' · ')}`).join('\n');
};

const leaves = (command: Command, path: string): string[] => command.commands.flatMap(each => {
	const name = `${path} ${each.name()}`;
	const below = leaves(each, name);
	// A group does nothing by itself, unless it has options.
	if (below.length > 0 && each.options.length === 0) return below;
	const usage = `${name} ${each.usage()}`.trim().replaceAll('|', '\\|');
	return [`| \`${usage}\`${each.options.length > 0 ? `<br>${each.options.map(option => `\`${option.flags.replaceAll('|', '\\|')}\``).join(' ')}` : ''} | ${each.description()} |`, ...below];
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
