import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Command, Option} from 'commander';
import {addCommands} from '../cli/command-table.ts';
import {createRoot, FOOT} from '../cli/parse.ts';
import {pageText} from '../cli/page-text.ts';

/** Escapes text for roff. Hyphens can be copied from the page as hyphens. */
const plain = (text: string): string =>
	text
		.replaceAll('\\', '\\e')
		.replaceAll('…', '\\[u2026]')
		.replaceAll('-', '\\-')
		.replace(/^[.']/gm, '\\&$&');

const pageOf = (name: string): string =>
	pageText(readFileSync(join(import.meta.dirname, `../docs/${name}.md`), 'utf8'), 78);

const asWritten = (text: string): string => `.PP\n.nf\n${plain(text.trim())}\n.fi`;

const optionList = (options: readonly Option[]): readonly string[] =>
	options
		.filter(({hidden}) => !hidden)
		.map(({flags, description}) => `.TP\n.B ${plain(flags)}\n${plain(description)}`);

const commandList = (command: Command, path: string): readonly string[] =>
	command
		.createHelp()
		.visibleCommands(command)
		.flatMap(each => {
			const name = `${path} ${each.name()}`;
			const below = commandList(each, name);
			// A group without options has no action, so only its commands are listed.
			if (below.length > 0 && each.options.length === 0) return below;
			return [
				`.SS ${plain(`${name} ${each.usage()}`.trim())}`,
				plain(each.description()),
				...optionList(each.options),
				...below,
			];
		});

/** Manual page svc-tui(1), from the command table that `--help` prints too. */
export const manPage = (version: string): string => {
	const root = createRoot(version);
	addCommands(root, () => {});
	return [
		`.TH SVC\\-TUI 1 "" "svc\\-tui ${plain(version)}"`,
		'.SH NAME',
		`svc\\-tui \\- ${plain(root.description().replace(/\.$/, ''))}`,
		'.SH SYNOPSIS',
		`.B svc\\-tui\n${plain(root.usage())}`,
		'.SH OPTIONS',
		...optionList(root.options),
		'.SH COMMANDS',
		...commandList(root, 'svc-tui'),
		'.SH NOTES',
		asWritten(FOOT),
		'.SH QUERIES',
		asWritten(pageOf('query')),
		'.SH RECIPES',
		asWritten(pageOf('recipe')),
		'',
	].join('\n');
};
