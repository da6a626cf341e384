import {fileEntry, type FileEntry} from '../../contract/files.ts';
import {namesOf, parentOf, parentsOf} from '../../contract/paths.ts';
import type {LiveFiles} from '../client-types.ts';
import type {Failure, Reply} from '../failure.ts';
import {resultOrFailure, failureOf} from './rest-failure.ts';
import type {Rest} from './rest.ts';

type Method = Parameters<Rest>[0];

// Percent-encodes a name, and always the first letter of `checkpoints`. Jupyter would read that
// name at the end of a path as the checkpoints of the file before it.
const escaped = (name: string): string =>
	name === 'checkpoints' ? '%63heckpoints' : encodeURIComponent(name);
const addressOf = (path: string): string => ['contents', ...namesOf(path)].map(escaped).join('/');

const no = (failure: Failure): {readonly ok: false; readonly failure: Failure} => ({ok: false, failure});
const DONE: Reply<null> = {ok: true, value: null};

export const createFiles = (rest: Rest): LiveFiles => {
	const ask = async (path: string, query: string): Promise<Reply<FileEntry>> => {
		const answer = await rest('GET', `${addressOf(path)}?${query}`);
		const {data} = fileEntry.safeParse(answer?.status === 200 ? answer.json : undefined);
		return data === undefined ? no(failureOf('GET', `/${addressOf(path)}`, answer)) : {ok: true, value: data};
	};
	const order = async (method: Method, path: string, body?: object): Promise<Reply<null>> => {
		const address = addressOf(path);
		return resultOrFailure(method, `/${address}`, await rest(method, address, body));
	};
	// Does not count as activity, because watching a file must not keep a server running that shuts
	// down when idle.
	const stat: LiveFiles['stat'] = async path => ask(path, 'content=0&no_track_activity=1');
	const taken = (method: Method, path: string): Reply<null> =>
		no({
			kind: 'conflict',
			method,
			path: `/${addressOf(path)}`,
			message: `${JSON.stringify(path)} already exists.`,
		});

	return {
		list: async path => ask(path, 'content=1&type=directory'),
		stat,
		async move(from, to) {
			// Checked here, because for a missing file a server may report an error without a
			// reason.
			const folder = parentOf(to);
			const [source, above] = await Promise.all([stat(from), folder === '' ? null : stat(folder)]);
			if (!source.ok && source.failure.kind === 'not-found')
				return no({...source.failure, message: `${JSON.stringify(from)} no longer exists.`});
			if (above?.ok === false && above.failure.kind === 'not-found')
				return no({...above.failure, message: `There is no folder ${JSON.stringify(folder)}.`});
			if (above?.ok === true && above.value.type !== 'directory')
				return no({
					kind: 'conflict',
					method: 'PATCH',
					path: `/${addressOf(folder)}`,
					message: `${JSON.stringify(folder)} is a file, not a folder.`,
				});
			return order('PATCH', from, {path: to});
		},
		async makeFolder(path) {
			for (const folder of [...parentsOf(path), path]) {
				const there = await stat(folder);
				if (there.ok && (folder === path || there.value.type !== 'directory')) return taken('PUT', folder);
				if (there.ok) continue;
				if (there.failure.kind !== 'not-found') return there;
				const made = await order('PUT', folder, {type: 'directory'});
				if (!made.ok) return made;
			}
			return DONE;
		},
		remove: async path => order('DELETE', path),
	};
};
