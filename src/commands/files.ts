import {basename} from 'node:path';
import type {FileEntry} from '../contract/files.ts';
import {label} from '../text/safe.ts';
import {usageError} from './command-error.ts';
import type {Context} from './context.ts';
import {bytesOf, isBinary, uploadOf} from './file-content.ts';
import {readLocal, writeLocal} from './local-file.ts';
import {askServer} from './on-server.ts';
import {printJson, printNote} from './print.ts';
import {NONE, tableText, type Column} from './table.ts';
import {terminalBlock} from './terminal-text.ts';

/** Paths are below the server's root; `/` and `./` in front and `/` behind say nothing more. */
const serverPath = (path: string): string => path.replace(/^(?:\.?\/)+/, '').replace(/\/+$/, '').replace(/^\.$/, '');

type Entry = {readonly name: string; readonly isFolder: boolean; readonly size: number | null; readonly modified: string | null};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;

const entryOf = (item: unknown): Entry[] => {
	if (!isRecord(item) || typeof item['name'] !== 'string') return [];
	const {name, type, size, last_modified: modified} = item;
	return [{name: String(name), isFolder: type === 'directory', size: typeof size === 'number' ? size : null, modified: typeof modified === 'string' ? modified : null}];
};

const entriesOf = (answer: FileEntry): readonly Entry[] => {
	const items = Array.isArray(answer.content) ? answer.content : [answer];
	return items.flatMap(entryOf).sort((a, b) => Number(b.isFolder) - Number(a.isFolder) || (a.name < b.name ? -1 : 1));
};

const COLUMNS: readonly Column<Entry>[] = [
	{head: 'NAME', value: row => label(row.name) + (row.isFolder ? '/' : '')},
	{head: 'BYTES', value: row => (row.isFolder || row.size === null ? NONE : String(row.size)), right: true},
	{head: 'CHANGED', value: row => (row.modified === null ? NONE : label(row.modified.replace(/\.\d+/, ''), 32))},
];

/** `files list` */
export const listFiles = async (context: Context, server: string, path = ''): Promise<number> => {
	const asked = serverPath(path);
	const answer = await askServer(context, server, client => client.getFile(server, asked, {signal: context.signal}), asked === ''
		? 'This service may list no folders; svc-tui files get reads a file whose path you know.'
		: `${context.typed('files', 'list', server)} lists the files at the root.`);
	const entries = entriesOf(answer);
	if (context.json) await printJson(context, answer);
	else if (entries.length > 0) await context.stdout.write(tableText(COLUMNS, entries, context.stdout.columns));
	else await printNote(context, 'No files there.');
	return 0;
};

/** `files get`. Into a pipe or a file goes every byte as it is. */
export const getFile = async (context: Context, server: string, path: string, {output}: {readonly output?: string}): Promise<number> => {
	const folder = serverPath(path).split('/').slice(0, -1).join('/');
	const answer = await askServer(context, server, client => client.getFile(server, serverPath(path), {signal: context.signal}),
		`${context.typed('files', 'list', server, ...(folder === '' ? [] : [folder]))} lists what is there.`);
	const isToFile = output !== undefined && output !== '-';
	if (context.json) {
		await printJson(context, answer);
		if (isToFile) await writeLocal(output, bytesOf(answer));
		return 0;
	}
	const bytes = bytesOf(answer);
	if (isToFile) await writeLocal(output, bytes);
	else if (!context.stdout.isTTY) await context.stdout.write(bytes);
	else if (isBinary(bytes)) throw usageError(`${path} is not text (${bytes.length} bytes) and would garble the terminal.`, 'Write it to a file with -o FILE, or redirect the output.');
	else await context.stdout.write(terminalBlock(bytes.toString('utf8')));
	return 0;
};

/** `files put`. `-` is standard input, and then needs a name. */
export const putFile = async (context: Context, server: string, local: string, remote?: string): Promise<number> => {
	if (local === '-' && (remote === undefined || remote.endsWith('/'))) throw usageError('Standard input has no name: give the path on the server after the -.');
	const bytes = local === '-' ? await context.readStdin() : await readLocal(local);
	const path = serverPath(remote === undefined ? basename(local) : remote === '' || remote.endsWith('/') ? remote + basename(local) : remote);
	const answer = await askServer(context, server, client => client.putFile(server, path, uploadOf(bytes), {signal: context.signal}));
	if (context.json) await printJson(context, answer);
	else await context.stdout.write(`${label(local)} is ${label(answer.path)} on ${label(server)}, ${bytes.length} ${bytes.length === 1 ? 'byte' : 'bytes'}\n`);
	return 0;
};
