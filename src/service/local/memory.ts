import {readFileSync} from 'node:fs';
import os from 'node:os';
import {posix} from 'node:path';

/** Bytes that our processes may use at most, and those available now without pushing others out; null where the system does not say. */
export type Memory = {readonly total: number; readonly available: number | null};

/** The text of a file of the system; null when it is not there. */
export type ReadSystem = (path: string) => string | null;

const numberIn = (text: string | null, name: string): number | null => {
	const found = new RegExp(`^${name}:?\\s+(\\d+)`, 'm').exec(text ?? '')?.[1];
	return found === undefined ? null : Number(found);
};

/** A folder and those above it, up to `/`. */
const upwards = (folder: string): readonly string[] =>
	folder === '/' ? ['/'] : [folder, ...upwards(posix.dirname(folder))];

type Group = {
	readonly limit: number;
	/** Without cached files, which the kernel gives up first. */ readonly used: number;
};

/** The two versions of control groups: where they are, which one is ours, and what its files are called. */
const versions = [
	{
		mount: '/sys/fs/cgroup',
		own: /^0::(\/.*)$/m,
		limit: 'memory.max',
		used: 'memory.current',
		cached: 'inactive_file',
	},
	{
		mount: '/sys/fs/cgroup/memory',
		own: /^\d+:(?:[^:]*,)?memory(?:,[^:]*)?:(\/.*)$/m,
		limit: 'memory.limit_in_bytes',
		used: 'memory.usage_in_bytes',
		cached: 'total_inactive_file',
	},
] as const;

const groupAt = (
	read: ReadSystem,
	folder: string,
	{limit, used, cached}: (typeof versions)[number],
): readonly Group[] => {
	const bytesIn = (name: string): number | null => {
		const text = read(posix.join(folder, name));
		return text !== null && /^\d+\s*$/.test(text) ? Number(text) : null;
	};
	const [most, taken] = [bytesIn(limit), bytesIn(used)];
	if (most === null || taken === null) return [];
	return [{limit: most, used: taken - (numberIn(read(posix.join(folder, 'memory.stat')), cached) ?? 0)}];
};

/** Limits of containers: of our own group, and of each above it. */
const groupsOf = (read: ReadSystem): readonly Group[] =>
	versions.flatMap(version => {
		const own = version.own.exec(read('/proc/self/cgroup') ?? '')?.[1];
		return (own === undefined ? [] : upwards(own)).flatMap(path =>
			groupAt(read, posix.join(version.mount, path), version),
		);
	});

/** The memory of a Linux machine; `null` where `/proc` does not say. */
export const linuxMemory = (read: ReadSystem): Memory | null => {
	const meminfo = read('/proc/meminfo');
	const [total, available] = [numberIn(meminfo, 'MemTotal'), numberIn(meminfo, 'MemAvailable')];
	if (total === null || available === null) return null;
	const groups = groupsOf(read);
	return {
		total: Math.min(total * 1024, ...groups.map(({limit}) => limit)),
		available: Math.max(0, Math.min(available * 1024, ...groups.map(({limit, used}) => limit - used))),
	};
};

const readSystem: ReadSystem = path => {
	try {
		return readFileSync(path, 'utf8');
	} catch {
		return null;
	}
};

/** What this machine, or the container that we are in, has. */
export const readMemory = (): Memory =>
	// Elsewhere than on Windows the pages that are free at this moment are far fewer than those available.
	linuxMemory(readSystem) ?? {
		total: os.totalmem(),
		available: process.platform === 'win32' ? os.freemem() : null,
	};
