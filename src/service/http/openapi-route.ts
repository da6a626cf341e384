import {readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {digestOf} from '../../engines/files.ts';
import {tagOf, tagsIn} from './etag.ts';
import type {Route} from './route.ts';

// The build makes this module part of a file in `dist`. The document is in the same folder.
const documentFile = fileURLToPath(new URL('./openapi.json', import.meta.url));

const read = (): {readonly body: string; readonly tag: string} => {
	const body = readFileSync(documentFile, 'utf8');
	return {body, tag: tagOf(digestOf(body))};
};
/** Document and ETag. Read at the first request, because most services never receive one. */
let stored: ReturnType<typeof read> | undefined;

/** Routes of the API description. They need no key, because it is the same on every service. */
export const openApiRoutes: readonly Route[] = ['GET', 'HEAD'].map(method => ({
	method,
	path: '/openapi.json',
	open: true,
	answer({ifNoneMatch}) {
		const {body, tag} = (stored ??= read());
		const headers = {'content-type': 'application/json', 'cache-control': 'no-cache', etag: tag};
		return ifNoneMatch !== undefined && (ifNoneMatch.trim() === '*' || tagsIn(ifNoneMatch).includes(tag))
			? {status: 304, headers, body: ''}
			: {headers, body};
	},
}));
