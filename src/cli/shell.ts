import {shellEndText} from '../text/shell/end-words.ts';
import {CommandError, EXIT, usageError} from './command-error.ts';
import type {Context} from './context.ts';
import {findServer} from './find-server.ts';
import {linkTo} from './link-to.ts';
import {reachServer} from './on-server.ts';
import {printNotice} from './print.ts';
import {endSentence} from '../text/sentence.ts';

/** Runs `shell`: connects this terminal to a shell on the server. */
export const openShell = async (context: Context, name: string): Promise<number> => {
	const {runShell} = context;
	const instead = context.typed('run', name, '-c', 'CODE');
	if (context.json || runShell === undefined)
		throw usageError(
			context.json
				? 'shell is interactive and takes no --json or --jsonl.'
				: 'shell needs a terminal on standard input and output.',
			`In scripts, use ${instead}; Python's subprocess module runs any program.`,
		);
	const {service} = await reachServer(context, name, undefined, {runsCode: true});
	const server = await findServer(context, service, name);
	const none = (says: string, mayPass = false): CommandError =>
		new CommandError(
			mayPass ? 'unreachable' : 'unsupported',
			`There is no shell on ${JSON.stringify(name)}: ${endSentence(says)}`,
			mayPass
				? `${context.typed('server', 'wait', name)} waits until it is ready; then try again.`
				: service.isLocal
					? 'With Jupyter Server installed on this machine, servers of the local service have shells. svc-tui info shows the current engine.'
					: `${instead} runs Python on it.`,
		);
	const live = await linkTo(context, service, server, none);
	const outcome = await runShell(name, async (size, events) => live.shell(size, events));
	live.close();
	if (typeof outcome === 'object') throw none(outcome.says, outcome.mayPass);
	const words = shellEndText(outcome, name);
	if (words === undefined || outcome === 'left') {
		if (words !== undefined) await printNotice(context, `${words}.`);
		return EXIT.ok;
	}
	throw new CommandError('connection-lost', `${words}.`, `${context.typed('shell', name)} opens a new one.`);
};
