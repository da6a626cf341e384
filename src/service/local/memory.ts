import {readFileSync} from 'node:fs';
import os from 'node:os';
import {posix} from 'node:path';

/**
 * Memory in bytes that the service may use. `total`: in all. `available`: now, or null if unknown.
 */
export type Memory = {readonly total: number; readonly available: number | null};

/** Returns the content of a system file. Null if it does not exist. */
export type ReadSystem = (path: string) => string | null;

const numberIn = (text: string | null, name: string): number | null => {
	const found = new RegExp(`^${name}:?\\s+(\\d+)`, 'm').exec(text ?? '')?.[1];
	return found === undefined ? null : Number(found);
};

const upwards = (folder: string): readonly string[] =>
	folder === '/' ? ['/'] : [folder, ...upwards(posix.dirname(folder))];

type Group = {
	readonly limit: number;
	/** Excludes cached files, whose memory the operating system frees when needed. */
	readonly used: number;
};

/**
 * Both versions of control groups: mount point, pattern for this process's group, and file names.
 */
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

/** Limits of this process's control group and of its parent groups. */
const groupsOf = (read: ReadSystem): readonly Group[] =>
	versions.flatMap(version => {
		const own = version.own.exec(read('/proc/self/cgroup') ?? '')?.[1];
		return (own === undefined ? [] : upwards(own)).flatMap(path =>
			groupAt(read, posix.join(version.mount, path), version),
		);
	});

/** Memory of a Linux machine. Null if `/proc` does not provide it. */
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

/**
 * Maximum age of a measurement that may be displayed, in ms. Cached, because a measurement reads
 * ten files.
 */
const RECENT_MS = 1000;

/** Returns the memory as measured at most a second ago. */
export const createRecentMemory = (read: () => Memory) => {
	let last: {readonly memory: Memory; readonly at: number} | undefined;
	return (): Memory => {
		const now = performance.now();
		if (last === undefined || now - last.at > RECENT_MS) last = {memory: read(), at: now};
		return last.memory;
	};
};

/** Memory of this machine, or of the container in which the service runs. */
export const readMemory = (): Memory =>
	// Free memory is used only on Windows. On other systems, it is much less than the available
	// memory.
	linuxMemory(readSystem) ?? {
		total: os.totalmem(),
		available: process.platform === 'win32' ? os.freemem() : null,
	};
