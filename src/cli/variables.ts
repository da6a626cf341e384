import {askData, type Variable} from '../api/kernel-data/kernel-data.ts';
import {BUSY, shapeText, variablesIn} from '../api/kernel-data/reply-text.ts';
import {sessionOf} from '../run/open-kernel.ts';
import {UNKNOWN} from '../text/known.ts';
import {label} from '../text/safe.ts';
import {meaningOf} from '../text/server-states.ts';
import {sizeText} from '../text/size.ts';
import {CommandError} from './command-error.ts';
import type {Context} from './context.ts';
import {serverPath} from './files.ts';
import {findServer, startLine, statusReason} from './find-server.ts';
import {liveLink} from './on-server.ts';
import {printJson, printNotice} from './print.ts';
import {tableText, type Column} from './table.ts';

type VariablesOptions = {readonly kernel?: string; readonly notebook?: string};

const COLUMNS: readonly Column<Variable>[] = [
	{head: 'NAME', value: ({name}) => label(name, 60)},
	{head: 'TYPE', value: ({type}) => label(type, 40)},
	{head: 'SHAPE', value: shapeText, right: true},
	{head: 'SIZE', value: ({size}) => (size === null ? UNKNOWN : sizeText(size)), right: true},
	{head: 'VALUE', value: ({value}) => label(value, 100), drop: 1},
];

/**
 * Runs `variables`: prints the variables of a kernel, largest first. Starts neither a server nor a
 * kernel.
 */
export const listVariables = async (
	context: Context,
	server: string,
	{kernel = 'python3', notebook}: VariablesOptions,
): Promise<void> => {
	const service = await context.connect();
	const found = await findServer(context, service, server);
	if (['offline', 'over', 'coming'].includes(meaningOf(found.status)))
		throw new CommandError(
			'server-offline',
			`${JSON.stringify(server)} is ${label(found.status, 40)}, so it holds no variables.${statusReason(found)}`,
			`Start it first: ${startLine(context, server)}`,
		);
	const live = await liveLink(context, service, server);
	if (live === null)
		throw new CommandError(
			'unsupported',
			`Variables need the live link, and the address of ${JSON.stringify(server)} offers none.`,
			`${context.typed('run', server, '-c', 'dir()')} runs through the service.`,
		);
	try {
		const session = sessionOf(
			notebook === undefined
				? {kind: 'repl', kernel}
				: {kind: 'notebook', path: serverPath(notebook), kernel},
		);
		const {signal} = context;
		const {reply} = await askData(
			live,
			session,
			{op: 'variables'},
			{signal, onWait: waits => void (waits && printNotice(context, `${BUSY} …`))},
		);
		signal.throwIfAborted();
		const variables = variablesIn(reply);
		if (typeof variables === 'string')
			throw new CommandError(
				reply.kind === 'lost' ? 'not-found' : 'unsupported',
				`${variables}.`,
				'--kernel names another kernel, and --notebook a notebook on the server.',
			);
		const {rows, total} = variables;
		if (context.json)
			return await printJson(
				context,
				rows.map(({mark: _, ...row}) => row),
			);
		if (rows.length > 0) await context.stdout.write(tableText(COLUMNS, rows, context.stdout.columns));
		else await printNotice(context, 'The kernel holds no variables yet.');
		if (rows.length < total)
			await printNotice(context, `These are the largest ${rows.length} of ${total} variables.`);
	} finally {
		live.close();
	}
};
