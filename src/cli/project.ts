import {resolve} from 'node:path';
import type {Failure} from '../api/failure.ts';
import type {ProjectAnswer} from '../contract/project.ts';
import {grantFolder} from '../settings/folder-grant.ts';
import {localPath} from '../machine/local-file.ts';
import {localDataFolder} from '../machine/paths.ts';
import {label} from '../text/safe.ts';
import {CommandError, failed, usageError} from './command-error.ts';
import type {Context, Service} from './context.ts';
import {printNotice} from './print.ts';

/** Error for a rejected call. The service's own message contains the remedy. */
const refused = (failure: Failure): CommandError =>
	failure.reason === undefined || failure.status === 401
		? failed(failure)
		: new CommandError(failure.kind, failure.reason, '', undefined, failure);

const wholePath = (folder: string): string => {
	try {
		return resolve(localPath(folder));
	} catch {
		throw new CommandError(
			'local-file',
			'The current folder no longer exists.',
			'Change to an existing folder.',
		);
	}
};

/** Sentence about the files that code can access with this engine. */
const reachOf = ({engine, folder}: ProjectAnswer): string => {
	const place = label(folder, 400);
	return engine === 'pyodide'
		? `Code will run in the embedded Python. It can read and change files in ${place}, except .git, and nothing else.`
		: `Code will run in Jupyter as you. It starts in ${place} and can access everything you can.`;
};

/**
 * Name of the server for a local folder. If the folder is not open yet, asks the user and opens it.
 * @throws {CommandError} if the folder is not opened.
 */
export const projectServer = async (
	context: Context,
	{client, isLocal}: Service,
	given: string,
	{yes = false}: {readonly yes?: boolean} = {},
): Promise<string> => {
	if (!isLocal)
		throw usageError(
			'Only the local service can open a local folder, and another service is selected.',
			'--profile local selects the local service.',
		);
	const folder = wholePath(given);
	const ask = async (engine?: string): Promise<ProjectAnswer> => {
		using granted = grantFolder(localDataFolder(), folder);
		const request = {grant: granted.grant, ...(engine !== undefined && {engine})};
		const reply = await client.openProject(request, {signal: context.signal});
		if (!reply.ok) throw refused(reply.failure);
		return reply.value;
	};
	const agreed = async (answer: ProjectAnswer): Promise<string> => {
		const made = await ask(answer.engine);
		if (made.server_name === null)
			throw new CommandError('conflict', 'The engine changed after the question.', 'Try once more.');
		return made.server_name;
	};
	const first = await ask();
	if (first.server_name !== null) return first.server_name;
	if (yes) return agreed(first);
	const reach = reachOf(first);
	if (context.ask === undefined)
		throw usageError(`This folder has not been opened yet. ${reach}`, '--yes opens it without asking.');
	await printNotice(context, reach);
	const answer = await context.ask('Open it? [y/N] ', {masked: false});
	if (!/^y(?:es)?$/i.test(answer.trim()))
		throw new CommandError('cancelled', 'The folder was not opened.', '');
	return agreed(first);
};
