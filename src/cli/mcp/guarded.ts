import {guardOf, type Guard} from '../../contract/guarded-paths.ts';
import {label} from '../../text/safe.ts';
import {CommandError} from '../command-error.ts';
import {serverPath} from '../files.ts';
import type {Call} from './tool.ts';

const WHY: Readonly<Record<Guard, string>> = {
	private: 'it is hidden or may hold keys or passwords',
	instructions: 'assistants read it as instructions in later tasks',
};

/**
 * Asks the user about a path that no permission covers: hidden files, keys and passwords, and for
 * writing also files that assistants read as instructions. `act`: command with which the user can
 * do the same.
 * @throws {CommandError} unless the user agrees.
 */
export const askAboutPath = async (
	call: Call,
	{
		does,
		server,
		path,
		act,
	}: {readonly does: 'read' | 'write'; readonly server: string; readonly path: string; readonly act: string},
): Promise<void> => {
	const asked = serverPath(path);
	const guard = guardOf(asked, does);
	if (guard === undefined) return;
	const why = WHY[guard];
	// Not shortened, since the end of a path matters for the user's decision.
	const named = label(JSON.stringify(asked), Infinity);
	const consent = await call.confirm({
		question:
			does === 'read'
				? `Let this client read ${named} on ${label(server, 60)}? ${why[0]?.toUpperCase()}${why.slice(1)}; its content is sent to the provider of the model.`
				: `Let this client change ${named} on ${label(server, 60)}? ${why[0]?.toUpperCase()}${why.slice(1)}.`,
		yes: 'Yes, allow it this once',
	});
	if (consent === 'yes') return;
	const nothing = does === 'read' ? 'Nothing was read.' : 'Nothing was changed.';
	throw new CommandError(
		'refused',
		consent === 'no'
			? `The user declined access to ${named}. ${nothing}`
			: `${named} needs the user's consent because ${why}, and this client does not support elicitation, so the user cannot give it. ${nothing}`,
		consent === 'no' ? '' : `The user can run: ${act}`,
	);
};
