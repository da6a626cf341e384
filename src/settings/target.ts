import {readFile} from 'node:fs/promises';
import {text} from 'node:stream/consumers';

/** Which service to talk to. `local` is found or started by launch. */
export type ServiceChoice =
	| {readonly kind: 'local'}
	| {readonly kind: 'remote'; readonly baseUrl: string; readonly apiKey: string; readonly caFile?: string};

/** What the user set wrong; the message says what to do. */
export class SettingsError extends Error {}

export type ServiceOptions = {
	/** From the command line. */
	readonly baseUrl?: string;
	/** `-` is standard input. */
	readonly apiKeyFile?: string;
	readonly caFile?: string;
};

const keyFrom = async (file: string): Promise<string> => {
	try {
		return (file === '-' ? await text(process.stdin) : await readFile(file, 'utf8')).trim();
	} catch (error) {
		throw new SettingsError(`The API key cannot be read from ${file}: ${(error as NodeJS.ErrnoException).code ?? 'it failed'}`);
	}
};

/**
 * The service that was named, else the local one. Keys: `--api-key-file`, then `SVC_API_KEY`. With no service named both are ignored:
 * the local service has a key file of its own.
 * @throws {SettingsError}
 */
export const chooseService = async ({baseUrl, apiKeyFile, caFile}: ServiceOptions, env: NodeJS.ProcessEnv = process.env): Promise<ServiceChoice> => {
	const named = baseUrl ?? env['SVC_BASE_URL'];
	if (named === undefined || named === '') return {kind: 'local'};
	if (!URL.canParse(named)) throw new SettingsError(`${JSON.stringify(named)} is no address: --base-url and SVC_BASE_URL want one such as https://notebooks.example.com`);
	const apiKey = apiKeyFile === undefined ? env['SVC_API_KEY']?.trim() : await keyFrom(apiKeyFile);
	if (!apiKey) throw new SettingsError(`${new URL(named).host} needs an API key: set SVC_API_KEY, or name a file that holds it with --api-key-file`);
	return {kind: 'remote', baseUrl: named, apiKey, ...(caFile !== undefined && {caFile})};
};
