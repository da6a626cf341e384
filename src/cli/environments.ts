import type {Environment} from '../contract/environments.ts';
import {label} from '../text/safe.ts';
import {cellWidth, cut} from '../text/width/width.ts';
import {valueOf} from './command-error.ts';
import type {Context} from './context.ts';
import {warnUnreadable, printJson, printNotice} from './print.ts';
import {tableText, type Column} from './table.ts';

const LONGEST = 2000;
const NARROWEST = 24;

const COLUMNS: readonly Column<Environment>[] = [
	{head: 'ENVIRONMENT', value: row => label(row.environment_id)},
	{head: 'NAME', value: row => label(row.name)},
	{head: 'DESCRIPTION', value: row => label(row.description.replaceAll(/\s+/g, ' ').trim(), LONGEST)},
];

/**
 * Runs `environments`. On a terminal, descriptions are shortened to one line. In a pipe they are
 * complete.
 */
export const listEnvironments = async (context: Context): Promise<void> => {
	const {client} = await context.connect();
	const {items, raw, unreadable} = valueOf(await client.environments({signal: context.signal}));
	if (context.json) return printJson(context, raw);
	const {columns} = context.stdout;
	const widest = Number.isFinite(columns) ? Math.max(columns, NARROWEST) : Infinity;
	const lines = tableText(COLUMNS, items, columns)
		.split('\n')
		.map(line => (cellWidth(line) > widest ? cut(line, widest) : line));
	if (items.length > 0) await context.stdout.write(lines.join('\n'));
	else if (raw.length === 0) await printNotice(context, 'The service has no environments.');
	await warnUnreadable(context, unreadable);
};
