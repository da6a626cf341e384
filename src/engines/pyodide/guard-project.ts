// The user's own folder may contain links to other folders, and git's data. Node's permission model
// checks paths without resolving links and has no exceptions. Therefore this module checks the
// paths in Python's file system calls.
import fs from 'node:fs';
import {syncBuiltinESMExports} from 'node:module';
import {dirname, relative, resolve, sep} from 'node:path';
import {repositoryOf} from '../../contract/paths.ts';

type Call = (...parameters: never[]) => unknown;

/** Functions that follow a link in the last part of a path. */
const FOLLOWING = [
	'openSync',
	'readFileSync',
	'writeFileSync',
	'readdirSync',
	'chmodSync',
	'utimesSync',
	'truncateSync',
	'statSync',
	'statfsSync',
	'existsSync',
	'accessSync',
	'realpathSync',
	'opendirSync',
	'createReadStream',
	'readFile',
] as const;
const NOT_FOLLOWING = [
	'lstatSync',
	'mkdirSync',
	'unlinkSync',
	'rmdirSync',
	'readlinkSync',
	'rmSync',
] as const;
/** Functions whose second parameter is a path as well. */
const OF_TWO = ['renameSync', 'linkSync', 'copyFileSync', 'cpSync'] as const;

const isRepository = (name: unknown): boolean => typeof name === 'string' && repositoryOf(name) !== undefined;

const refused = (): Error => Object.assign(new Error('permission denied'), {code: 'EACCES'});

/**
 * Restricts file system calls within a folder. `root`: real path of the folder. Paths elsewhere are
 * left to the permission model.
 */
export const guardProject = (root: string): void => {
	const {lstatSync} = fs;
	const isLink = (path: string): boolean =>
		lstatSync(path, {throwIfNoEntry: false})?.isSymbolicLink() === true;
	const judge = (given: unknown, follows: boolean): void => {
		// A number is the descriptor of a file that is already open.
		if (typeof given === 'number') return;
		const path = resolve(String(given));
		if (path !== root && !path.startsWith(root + sep)) return;
		const names = relative(root, path).split(sep);
		if (names.some(isRepository)) throw refused();
		// Python has already resolved links within its file system, so a link found here leads out
		// of it.
		for (let at = dirname(path); at.length > root.length; at = dirname(at)) if (isLink(at)) throw refused();
		if (follows && isLink(path)) throw refused();
	};
	const guarded = (name: string, check: (parameters: readonly unknown[]) => void): void => {
		const call = (fs as unknown as Record<string, Call | undefined>)[name];
		if (call === undefined) return;
		const judged = (...parameters: never[]): unknown => {
			check(parameters);
			const answer = call(...parameters);
			return name === 'readdirSync' && Array.isArray(answer)
				? answer.filter(each => !isRepository(each))
				: answer;
		};
		Object.assign(fs, {[name]: judged});
	};
	for (const name of FOLLOWING) guarded(name, ([path]) => judge(path, true));
	for (const name of NOT_FOLLOWING) guarded(name, ([path]) => judge(path, false));
	for (const name of OF_TWO)
		guarded(name, ([from, to]) => {
			judge(from, false);
			judge(to, false);
		});
	const {readFile} = fs.promises;
	const {open} = fs.promises;
	Object.assign(fs.promises, {
		readFile: (...parameters: Parameters<typeof readFile>) => {
			judge(parameters[0], true);
			return readFile(...parameters);
		},
		open: (...parameters: Parameters<typeof open>) => {
			judge(parameters[0], true);
			return open(...parameters);
		},
	});
	syncBuiltinESMExports();
};
