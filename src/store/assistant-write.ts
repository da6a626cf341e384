import type {StateCreator} from 'zustand/vanilla';
import {explainFailure, type Reply} from '../api/failure.ts';
import type {FileEntry} from '../contract/files.ts';
import type {LineChange} from '../text/line-changes.ts';
import type {Deps} from './deps.ts';
import type {FilesSlice} from './files.ts';
import type {NoticesSlice} from './notices.ts';
import type {RouteSlice} from './route.ts';

/** Code that is to be written to a file, against what the file holds. */
export type Writing = {
	readonly server: string;
	readonly path: string;
	readonly code: string;
	readonly state:
		| {readonly status: 'reading'}
		/** `before` null: there is no such file yet. */
		| {readonly status: 'compared'; readonly before: string | null; readonly changes: readonly LineChange[]}
		| {readonly status: 'failed'; readonly problem: string};
};

export type WriteSlice = {
	readonly writing: Writing | null;
	/** Opens the comparison of code with the file that it is to replace. */
	compareWithFile(server: string, path: string, code: string): Promise<void>;
	/** Writes what was compared, unless the file has changed since: then it is compared anew. */
	writeCompared(): Promise<void>;
};

type Before = {readonly before: string | null} | {readonly problem: string};

const beforeOf = (path: string, reply: Reply<FileEntry>): Before => {
	if (!reply.ok) return reply.failure.status === 404 ? {before: null} : {problem: explainFailure(reply.failure).what};
	const {type, format, content} = reply.value;
	if (type === 'directory') return {problem: `${path} is a folder: name a file in it`};
	return typeof content === 'string' && format !== 'base64' ? {before: content} : {problem: `${path} is not text`};
};

export const createWriteSlice = ({client}: Deps): StateCreator<WriteSlice & RouteSlice & NoticesSlice & FilesSlice, [], [], WriteSlice> => (set, get) => ({
	writing: null,
	async compareWithFile(server, path, code) {
		const writing: Writing = {server, path, code, state: {status: 'reading'}};
		set({writing});
		if (get().dialogs.at(-1)?.kind !== 'write-diff') get().openDialog({kind: 'write-diff'});
		const [found, {lineChanges}] = await Promise.all([client().then(async each => each.getFile(server, path)), import('../text/line-changes.ts')]);
		if (get().writing !== writing) return;
		const known = beforeOf(path, found);
		set({writing: {...writing, state: 'problem' in known ? {status: 'failed', problem: known.problem} : {status: 'compared', before: known.before, changes: lineChanges(known.before ?? '', code)}}});
	},
	async writeCompared() {
		const {writing, notify} = get();
		if (writing?.state.status !== 'compared') return;
		const {server, path, code, state} = writing;
		const service = await client();
		const known = beforeOf(path, await service.getFile(server, path));
		if ('problem' in known) return notify('bad', `Not written. ${known.problem}`);
		if (known.before !== state.before) {
			notify('bad', `${path} has changed meanwhile and was not written: this is how it differs now`);
			return get().compareWithFile(server, path, code);
		}
		const reply = await service.putFile(server, path, {type: 'file', format: 'text', content: code});
		if (!reply.ok) return notify('bad', `${path} was not written. ${explainFailure(reply.failure).what}`);
		notify('good', `${path} was written`);
		void get().refreshFiles(server);
	},
});
