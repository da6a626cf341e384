import {getFile, type FileEntry} from '../../contract/files.ts';
import type {Files, LargeContent} from '../../engines/files.ts';
import type {Caller} from '../servers.ts';
import {etagOf, tagOf} from './etag.ts';
import {serveRow, type Route} from './route.ts';

/** The same JSON as that of a small file; its content comes last, so that whoever reads along knows of what it is. */
async function* bodyOf(
	{content: _, ...entry}: FileEntry,
	{json}: LargeContent,
): AsyncGenerator<string | Uint8Array> {
	yield `{"status":"success","content":${JSON.stringify(entry).slice(0, -1)},"content":"`;
	yield* json();
	yield '"}}';
}

/** The route of a server's files, as they are held whole. */
const wholeRoute = (files: Files): Route =>
	serveRow(
		getFile,
		async ({params}) => ({status: 'success' as const, content: await files.get(params['path'] ?? '')}),
		{etag: ({content}) => etagOf(content)},
	);

/** Answers a file, a large one piece by piece. */
export const fileRoute = (filesOf: (caller: Caller, name: string) => Files | Promise<Files>): Route => {
	const {method, path} = getFile;
	return {
		method,
		path: `/api${path}`,
		async answer(asked) {
			const {caller, params} = asked;
			const files = await filesOf(caller, params['server_name'] ?? '');
			const found = await files.large?.(params['path'] ?? '');
			if (found === undefined) return wholeRoute(files).answer(asked);
			const {entry, large} = found;
			return {
				headers: {'content-type': 'application/json', etag: tagOf(large.digest)},
				body: bodyOf(entry, large),
			};
		},
	};
};
