import type {Stats} from 'node:fs';

/** Ours, and closed to every other user; on Windows, where modes say nothing, every file is. */
export const isPrivate = ({uid, mode}: Stats): boolean => process.getuid === undefined || (uid === process.getuid() && (mode & 0o077) === 0);
