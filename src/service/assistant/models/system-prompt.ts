import {setTimeout as sleep} from 'node:timers/promises';
import type {About} from '../about.ts';
import {walk} from '../server-files.ts';

const MAX_FILES = 60;
const MAX_CHARACTERS = 3000;
/** Time limit for listing the files, in ms. */
const MAX_WAIT = 300;

const filesLine = async ({files}: About, signal: AbortSignal): Promise<string> => {
	const waited = new AbortController();
	const tree = await Promise.race([
		walk(files),
		sleep(MAX_WAIT, null, {signal: AbortSignal.any([signal, waited.signal])}).catch(() => null),
	]).finally(() => waited.abort());
	const paths =
		tree?.entries
			.filter(
				entry => entry.type !== 'directory' && !entry.path.split('/').some(part => part.startsWith('.')),
			)
			.map(entry => entry.path) ?? [];
	const listed: string[] = [];
	let left = MAX_CHARACTERS;
	for (const path of paths.slice(0, MAX_FILES)) {
		left -= path.length;
		if (left < 0) break;
		listed.push(path);
	}
	if (listed.length === 0) return '';
	// Written as JSON strings, so that a line break in a file name cannot add a sentence to the
	// prompt.
	return `Files on the server${listed.length < paths.length || tree?.whole === false ? `, the first ${listed.length}` : ''}: ${JSON.stringify(listed)}`;
};

/**
 * System prompt: describes the server and the assistant's limits, and includes the text from the
 * settings.
 */
export const systemPrompt = async (
	about: About,
	own: string | undefined,
	signal: AbortSignal,
): Promise<string> =>
	[
		`You are the assistant of the notebook server ${JSON.stringify(about.serverName)}, environment ${JSON.stringify(about.environment)}, where the user runs Python.`,
		'You see this conversation only: by yourself you run no code and read no files. Where a message says how to ask for steps, ask for them as it says. Answer in Markdown, which is shown in a terminal; put code into fenced blocks with their language.',
		await filesLine(about, signal),
		own ?? '',
	]
		.filter(line => line !== '')
		.join('\n');
