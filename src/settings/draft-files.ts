import {createHash} from 'node:crypto';
import {mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import * as z from 'zod';

/** Lines that a dialog asks for; what only searches is not among them. */
export const LINE_FIELDS = ['command', 'add-file', 'go-to-path', 'write-path', 'export', 'upload', 'download'] as const;
export type LineField = (typeof LINE_FIELDS)[number];

/** `create` and `sign-in` are forms: JSON of their fields, and never a key. */
export type DraftField = 'code' | 'question' | 'create' | 'sign-in' | LineField;

/** Text that was typed and neither sent nor deleted. `cursor` is a UTF-16 offset; null: put aside with Ctrl-C. */
export type Draft = {readonly text: string; readonly cursor: number | null};

const saved = z.object({text: z.string(), cursor: z.int().min(0).nullable(), /** ISO 8601, UTC. */ savedAt: z.string()});

/** Drafts of one service, a file for each field of each server. Everything is synchronous, so that it also works while the program ends. */
export type DraftFiles = {
	/** Null when there is none. @throws {Error} with a sentence when the file cannot be understood. */
	read(server: string, field: DraftField): Draft | null;
	/** Readers see the old or the new file, never a part. Not flushed to disk: it guards against a kill, not against a power cut. */
	write(server: string, field: DraftField, draft: Draft): void;
	/** Leaves what another program has put there in the meantime. */
	remove(server: string, field: DraftField): void;
};

const contentOf = (file: string): string | null => {
	try {
		return readFileSync(file, 'utf8');
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
		throw error;
	}
};

const isAlive = (pid: number): boolean => {
	try {
		return process.kill(pid, 0);
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === 'EPERM';
	}
};

/** Removes what programs left that were killed while they wrote. */
const sweep = (folder: string): void => {
	for (const name of readdirSync(folder)) {
		const pid = /\.(\d+)\.tmp$/.exec(name)?.[1];
		if (pid !== undefined && Number(pid) !== process.pid && !isAlive(Number(pid))) rmSync(join(folder, name), {force: true});
	}
};

/** `service` is its base URL, or `local` for the local one, whose port is another each time. */
export const openDraftFiles = (folder: string, service: string): DraftFiles => {
	mkdirSync(folder, {recursive: true, mode: 0o700});
	sweep(folder);
	const seen = new Map<string, string | null>();
	// A name of a server may hold anything, and an address a password.
	const fileOf = (server: string, field: DraftField): string =>
		join(folder, `${createHash('sha256').update(JSON.stringify([service, server, field])).digest('hex').slice(0, 32)}.json`);
	return {
		read(server, field) {
			const file = fileOf(server, field);
			try {
				const content = contentOf(file);
				if (content === null) return null;
				const {text, cursor} = saved.parse(JSON.parse(content));
				seen.set(file, content);
				return {text, cursor};
			} catch {
				throw new Error(`What was typed before cannot be read from ${file}; it is replaced when you type.`);
			}
		},
		write(server, field, draft) {
			const file = fileOf(server, field);
			const content = JSON.stringify({...draft, savedAt: new Date().toISOString()});
			const temp = `${file}.${process.pid}.tmp`;
			try {
				writeFileSync(temp, content, {mode: 0o600});
				renameSync(temp, file);
			} catch (error) {
				rmSync(temp, {force: true});
				throw error;
			}
			seen.set(file, content);
		},
		remove(server, field) {
			const file = fileOf(server, field);
			if (contentOf(file) === seen.get(file)) rmSync(file, {force: true});
			seen.delete(file);
		},
	};
};
