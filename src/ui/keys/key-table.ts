// The table of keys as text: `svc-tui help keys` prints it, README shows it.
import type {Binding} from './binding-sets.ts';
import {keymap, type Scope} from './keymap.ts';

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
	comparison: 'assistant, answers side by side',
	models: 'models to ask together',
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
	keptEdit: 'what was written in an editor and not saved',
};

const shown = (key: string): string => key.replaceAll(/(^|[+ ])(\w)(?=\w)/g, (_, before: string, letter: string) => before + letter.toUpperCase());

/** What several scopes have in common is told once. */
const SHARED: readonly {readonly where: string; readonly scopes: readonly Scope[]}[] = [
	{where: 'in every list', scopes: ['servers', 'compute', 'environments', 'tree', 'picker', 'requests', 'models']},
	{where: 'in every text', scopes: ['viewer', 'marks', 'cells', 'turns', 'comparison', 'reader', 'packet', 'writing', 'conflict', 'keptEdit']},
	{where: 'in every field', scopes: ['repl', 'assistant', 'filter', 'find', 'cellFind', 'chooser', 'form']},
	{where: 'typing code or a question', scopes: ['repl', 'assistant']},
];

type Row = Pick<Binding, 'keys' | 'label'>;
const idOf = ({keys, label}: Row): string => `${keys.join(' ')} ${label}`;

const groups = (): readonly {readonly where: string; readonly rows: readonly Row[]}[] => {
	const told = new Set<string>();
	const rowsOf = (scope: Scope): readonly Row[] => keymap[scope];
	const shared = SHARED.map(({where, scopes}) => {
		const rows = rowsOf(scopes[0] ?? 'always').filter(row => scopes.every(scope => rowsOf(scope).some(other => idOf(other) === idOf(row))));
		const fresh = rows.filter(row => !scopes.every(scope => told.has(`${scope} ${idOf(row)}`)));
		for (const row of rows) for (const scope of scopes) told.add(`${scope} ${idOf(row)}`);
		return {where, rows: fresh};
	});
	const own = (Object.keys(keymap) as Scope[]).map(scope => ({where: WHERE[scope], rows: rowsOf(scope).filter(row => !told.has(`${scope} ${idOf(row)}`))}));
	return [...shared, ...own].filter(({rows}) => rows.length > 0);
};

/** For README. */
export const readmeKeys = (): string => groups().map(({where, rows}) => `- **${where}**: ${rows.map(({keys, label}) => `${keys.map(key => `\`${shown(key)}\``).join(' ')} ${label}`).join(' · ')}`).join('\n');

const KEYS_WIDTH = 32;

/** For a terminal: a group after the other, a line a key. */
export const keyTable = (): string => groups().map(({where, rows}) => [`${where}:`, ...rows.map(({keys, label}) => `  ${keys.map(shown).join(', ').padEnd(KEYS_WIDTH)}  ${label}`)].join('\n')).join('\n\n');
