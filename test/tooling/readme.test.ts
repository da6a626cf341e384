import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {Command} from 'commander';
import {expect, test} from 'vitest';
import {addCommands} from '../../src/cli/command-table.ts';
import {TOPICS, COMMAND_PAGES} from '../../src/cli/topics.ts';
import {cellsOf} from '../../src/text/markdown/lines.ts';
import '../../src/tui/feature-list.ts';
import {keymap} from '../../src/tui/core/keys/keymap.ts';
import type {Scope} from '../../src/tui/core/program.ts';
import {checkGenerated, checkTables} from './docs.ts';

const ROOT = join(import.meta.dirname, '../..');
const DOCS = join(ROOT, 'src/docs');
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');

/** Cells of the table below this heading, without its header. */
const tableOf = (heading: string): readonly (readonly string[])[] => {
	const [, rows = ''] =
		new RegExp(`^## ${heading}\\n\\n\\|.*\\n\\|.*\\n((?:\\|.*\\n)+)`, 'm').exec(README) ?? [];
	return rows.trim().split('\n').map(cellsOf);
};

const plain = (cell: string): string => cell.replaceAll('`', '');

test('the tables of keys and commands say what the program does; npm run docs renews them', async () => {
	for (const {is, shouldBe} of await checkTables()) expect(is).toBe(shouldBe);
});

test('the OpenAPI document and the schemas are those of the code; npm run docs renews them', async () => {
	for (const {is, shouldBe} of await checkGenerated()) expect(is).toBe(shouldBe);
});

test('README is short, and each of its links leads somewhere, as do those of the pages', () => {
	expect(README.trimEnd().split('\n').length).toBeLessThanOrEqual(150);
	const pages = readdirSync(DOCS).filter(name => name.endsWith('.md'));
	const broken = ['README.md', ...pages.map(name => `src/docs/${name}`)].flatMap(file =>
		[...readFileSync(join(ROOT, file), 'utf8').matchAll(/\]\(([^)#]+)[^)]*\)/g)]
			.filter(([, target = '']) => !target.startsWith('https:'))
			.map(([, target = '']) => join(ROOT, dirname(file), target))
			.filter(target => !existsSync(target))
			.map(target => `${file}: ${target}`),
	);
	expect(broken).toEqual([]);
});

test('each page is a topic of svc-tui help or ends the help of a command, and the reverse', () => {
	const pages = readdirSync(DOCS)
		.filter(name => name.endsWith('.md'))
		.map(name => name.replace('.md', ''));
	expect(pages.toSorted()).toEqual([...new Set([...TOPICS, ...Object.values(COMMAND_PAGES)])].toSorted());
});

test("README's twelve keys do what the key table says", () => {
	const [panes, ...rows] = tableOf('Keys');
	const rowsOf = (scope: Scope) => keymap[scope].rows;
	expect(panes?.map(plain)).toEqual([
		'1 to 6',
		rowsOf('global')
			.filter(({keys}) => keys.some(key => /^[1-6]$/.test(key)))
			.map(({label}) => label)
			.join(', '),
		'',
	]);
	expect(rows).toHaveLength(11);
	const bindings = (['servers', 'global', 'anywhere'] as const).flatMap(rowsOf);
	const untrue = rows
		.map(row => row.map(plain))
		.filter(
			([key = '', label]) =>
				!bindings.some(
					each =>
						each.label === label &&
						each.keys.some(name => name === key || (key.length > 1 && name === key.toLowerCase())),
				),
		);
	expect(untrue).toEqual([]);
});

test("README's six commands are in the table of commands, and what is said of them is said there", () => {
	const root = new Command('svc-tui').helpCommand(false);
	addCommands(root, () => {});
	const rows = tableOf('Commands').map(row => row.map(plain));
	expect(rows).toHaveLength(6);
	const untrue = rows.filter(([line = '', what]) => {
		const words = line.split(' ').slice(1);
		const command = words.reduce(
			(found, word) => found.commands.find(each => each.name() === word) ?? found,
			root as Command,
		);
		return command.description() !== what;
	});
	expect(untrue).toEqual([]);
});

test('README shows the program in pictures, with words for who cannot see them', () => {
	const shown = [...README.matchAll(/^!\[([^\]]{20,})\]\((src\/docs\/pictures\/[a-z]+\.svg)\)$/gm)];
	const drawn = readdirSync(join(DOCS, 'pictures')).map(name => `src/docs/pictures/${name}`);
	expect(shown.map(([, , file]) => file).toSorted()).toEqual(drawn.toSorted());
});
