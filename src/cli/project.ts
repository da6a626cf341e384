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

/** Error for a refused call. The service's own message says what to do. */
const refused = (failure: Failure): CommandError =>
	failure.reason === undefined || failure.status === 401
		? failed(failure)
		: new CommandError(failure.kind, failure.reason, '', undefined, failure);

const wholePath = (folder: string): string => {
	try {
		return resolve(localPath(folder));
	} catch {
		throw new CommandError('local-file', 'The folder you stand in is gone.', 'Go to one that is there.');
	}
};

/** Files that code can access, by engine. */
const reachOf = ({engine, folder}: ProjectAnswer): string => {
	const place = label(folder, 400);
	return engine === 'pyodide'
		? `Code will run in the embedded Python: it reads and changes the files of ${place} and sees nothing else, nor .git.`
		: `Code will run in Jupyter, as you: it works in ${place} and reaches all that you can, not only that folder.`;
};

/**
 * Name of the server for a local folder. A folder that is not open yet is opened after a question.
 * @throws {CommandError} if it is not opened.
 */
export const projectServer = async (
	context: Context,
	{client, isLocal}: Service,
	given: string,
	{yes = false}: {readonly yes?: boolean} = {},
): Promise<string> => {
	if (!isLocal)
		throw usageError(
			'A folder of this machine is opened by the local service only, and another one is named.',
			'--profile local names the local one.',
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
			throw new CommandError('conflict', 'The engine has changed meanwhile.', 'Try once more.');
		return made.server_name;
	};
	const first = await ask();
	if (first.server_name !== null) return first.server_name;
	if (yes) return agreed(first);
	const reach = reachOf(first);
	if (context.ask === undefined)
		throw usageError(`This folder has not been opened yet. ${reach}`, '--yes opens it without being asked.');
	await printNotice(context, reach);
	const answer = await context.ask('Open it? [y/N] ', {masked: false});
	if (!/^y(?:es)?$/i.test(answer.trim())) throw new CommandError('cancelled', 'It was not opened.', '');
	return agreed(first);
};
