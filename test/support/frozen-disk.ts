import {execFileSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {noDisks} from './small-disk.ts';

/** A disk that is mounted on a folder. While it is frozen, each write to it blocks. */
export type FrozenDisk = Disposable & {freeze(on: boolean): void};

/** Mounts the disk. Needs root, loop devices and ext4. */
export const frozenDisk = (folder: string): FrozenDisk => {
	const temp = mkdtempSync(join(tmpdir(), 'svc-tui-disk-'));
	const image = join(temp, 'image');
	let isFrozen = false;
	const freeze = (on: boolean): void => {
		if (isFrozen !== on) execFileSync('fsfreeze', [on ? '--freeze' : '--unfreeze', folder]);
		isFrozen = on;
	};
	try {
		execFileSync('truncate', ['-s', '32M', image]);
		execFileSync('mkfs.ext4', ['-q', image]);
		execFileSync('mount', ['-o', 'loop', image, folder], {stdio: 'pipe'});
	} catch (error) {
		rmSync(temp, {recursive: true});
		throw error;
	}
	return {
		freeze,
		[Symbol.dispose]() {
			freeze(false);
			execFileSync('umount', ['--lazy', folder]);
			rmSync(temp, {recursive: true});
		},
	};
};

/** Reason why this machine cannot freeze a disk; undefined if it can. */
export const whyNotFrozen = (): string | undefined => {
	if (noDisks !== undefined) return noDisks;
	const folder = mkdtempSync(join(tmpdir(), 'svc-tui-disk-'));
	try {
		using disk = frozenDisk(folder);
		disk.freeze(true);
		return undefined;
	} catch {
		return 'needs loop devices, ext4 and fsfreeze';
	} finally {
		rmSync(folder, {recursive: true});
	}
};
