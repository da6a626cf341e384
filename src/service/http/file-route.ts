import {getFile} from '../../contract/files.ts';
import type {FileEntry} from '../../contract/files.ts';
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

/** Answers a file, a large one piece by piece. */
export const fileRoute = (filesOf: (caller: Caller, name: string) => Files | Promise<Files>): Route => {
	const row = serveRow(
		getFile,
		async ({caller, name, params}) => ({
			status: 'success' as const,
			content: await (await filesOf(caller, name)).get(params['path'] ?? ''),
		}),
		{etag: ({content}) => etagOf(content)},
	);
	return {
		...row,
		async answer(asked) {
			const {caller, params} = asked;
			const files = await filesOf(caller, params['server_name'] ?? '');
			const found = await files.large?.(params['path'] ?? '');
			if (found === undefined) return row.answer(asked);
			const {entry, large} = found;
			return {
				headers: {'content-type': 'application/json', etag: tagOf(large.digest)},
				body: bodyOf(entry, large),
			};
		},
	};
};
