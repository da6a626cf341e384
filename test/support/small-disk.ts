import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

export type SmallDisk = Disposable & {
	readonly path: string;
	/** Fills the disk until this many bytes are free. */
	fill(left: number): void;
	/** Removes the fill file. */
	empty(): void;
	/** Makes the disk read-only, or writable again. */
	readOnly(on: boolean): void;
};

/** Mounts a separate file system in memory. Only root can do this. */
export const smallDisk = (options: string): SmallDisk => {
	const path = mkdtempSync(join(tmpdir(), 'svc-tui-disk-'));
	execFileSync('mount', ['-t', 'tmpfs', '-o', `mode=700,${options}`, 'tmpfs', path]);
	const filler = join(path, '.filler');
	const empty = (): void => rmSync(filler, {recursive: true, force: true});
	return {
		path,
		empty,
		fill(left) {
			empty();
			mkdirSync(filler);
			const {bavail, bsize} = statfsSync(path);
			writeFileSync(join(filler, 'f'), Buffer.alloc(Math.max(0, bavail * bsize - left)));
		},
		readOnly: on => void execFileSync('mount', ['-o', `remount,${on ? 'ro' : 'rw'}`, path]),
		[Symbol.dispose]() {
			execFileSync('umount', ['--lazy', path]);
			rmSync(path, {recursive: true});
		},
	};
};

/**
 * Reason why this machine cannot mount file systems; undefined if it can. Printed when tests are
 * skipped for this reason.
 */
export const noDisks = ((): string | undefined => {
	if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'needs root on Linux';
	try {
		smallDisk('size=64k')[Symbol.dispose]();
		return undefined;
	} catch {
		return 'this root may not mount';
	}
})();

if (noDisks !== undefined) process.stderr.write(`SKIPPED: tests on a full or read-only disk: ${noDisks}.\n`);
