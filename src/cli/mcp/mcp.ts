import type {Command} from 'commander';
import {readStartupSettings} from '../../settings/startup-settings.ts';
import {label} from '../../text/safe.ts';
import {usageError} from '../command-error.ts';
import type {Context} from '../context.ts';
import {priceOf} from '../option-values.ts';
import {printNotice} from '../print.ts';
import {PERMISSIONS, type Permission} from './permissions.ts';

const NEXT = 'svc-tui help mcp shows how.';

/** Parses permissions such as `run,write`. @throws {CommandError} if one is unknown. */
export const permissionsOf = (text: string | undefined): ReadonlySet<Permission> => {
	const words = (text ?? '').split(',').map(word => word.trim());
	const allowed = new Set<Permission>();
	for (const word of words) {
		if (word === '') continue;
		const found = PERMISSIONS.find(each => each === word);
		if (found === undefined)
			throw usageError(
				`--allow ${JSON.stringify(word)} is not one of ${PERMISSIONS.join(', ')}; reading needs no permission.`,
				NEXT,
			);
		allowed.add(found);
	}
	return allowed;
};

export type McpOptions = {readonly allow?: string; readonly maxPrice?: string};

/** Runs `mcp`: an MCP server on standard input and output. Ends with its client. */
export const serveMcp = async (context: Context, options: McpOptions, command: Command): Promise<void> => {
	const given = permissionsOf(options.allow);
	const maxPrice = priceOf(options.maxPrice, NEXT);
	if (maxPrice !== undefined && !given.has('spend'))
		throw usageError('--max-price needs --allow spend.', NEXT);
	if (context.options.apiKeyFile === '-')
		throw usageError('Standard input is for the client. Pass the key in a file.', NEXT);
	if (context.stdinIsTTY)
		throw usageError('svc-tui mcp is started by an MCP client, not from a terminal.', NEXT);
	const {facts} = readStartupSettings(context.options, context.env);
	const readOnly = facts.readOnly
		? `The profile ${label(facts.serviceName, 60)} is read-only, so svc-tui mcp only reads and ignores --allow.`
		: null;
	if (readOnly !== null && given.size > 0) await printNotice(context, readOnly);
	const {serveStdio} = await import('./serve.ts');
	await serveStdio(context, {
		// Version without the build, because clients expect a plain one.
		version: (command.parent?.version() ?? '').replace(/ .*$/, ''),
		allowed: readOnly === null ? given : new Set(),
		maxPrice,
		readOnly,
	});
};
