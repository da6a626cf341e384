import {libraryOf} from '../../../text/python/traceback.ts';
import type {FilePlace} from '../../../text/references.ts';
import {part, type App} from '../../core/app.ts';
import {notices} from '../../core/store/notices.ts';
import {route} from '../../core/store/route.ts';
import {fileViewer} from '../viewer/open-file.ts';

export type NamedPlaces = {
	/**
	 * The path and text of the server's file that a path in a traceback or an answer refers to.
	 * Null if not found.
	 */
	findFile(server: string, path: string): Promise<{readonly path: string; readonly text: string} | null>;
	/** Opens a file at the position that an output or an answer mentions. */
	openPlace(server: string, place: FilePlace): Promise<void>;
};

const MOST_CANDIDATES = 4;

/** Paths below the server's root folder that an absolute path may refer to, the longest first. */
export const candidatesOf = (path: string): readonly string[] => {
	if (!/^[/~]/.test(path)) return [path];
	const parts = path.split('/').slice(1);
	const all = parts.map((_, at) => parts.slice(at).join('/'));
	// A path inside a library, such as `pandas/frame.py`, must not open a file `frame.py` of the
	// user.
	return libraryOf(path) === null
		? all.slice(-MOST_CANDIDATES)
		: all.filter(each => libraryOf(`/${each}`) !== null).slice(0, MOST_CANDIDATES);
};

export const namedPlaces = part('namedPlaces', ({get, deps: {client}}: App): NamedPlaces => {
	/**
	 * Finds the server's file for a path. An absolute path may start with folders above the
	 * server's root folder, so only its end can match a file.
	 */
	const findFile: NamedPlaces['findFile'] = async (server, path) => {
		for (const candidate of candidatesOf(path)) {
			const reply = await (await client()).getFile(server, candidate);
			if (reply.ok && typeof reply.value.content === 'string' && reply.value.format !== 'base64')
				return {path: candidate, text: reply.value.content};
		}
		return null;
	};
	return {
		findFile,
		async openPlace(server, {path, line}) {
			const file = await findFile(server, path);
			if (file === null) return notices(get).notify('info', `${path} is not among the files of ${server}`);
			void fileViewer(get).openFile(server, file.path, line ?? undefined);
			route(get).focusPart('files', 'viewer');
			route(get).go('files');
		},
	};
});
