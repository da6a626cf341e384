import {createHash} from 'node:crypto';
import {mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import * as z from 'zod';

const packed = z.object({mention: z.string(), head: z.string(), language: z.string(), text: z.string()});
const turn = z.object({
	question: z.string(),
	carried: z.array(packed),
	model: z.string(),
	answer: z.string(),
	state: z.enum(['waiting', 'streaming', 'done', 'incomplete', 'stopped', 'failed', 'cut']),
	/** Why it is not whole, as it was told. */
	problem: z.string().nullable(),
	finishReason: z.string().nullable(),
	usage: z.object({promptTokens: z.number().nullable(), completionTokens: z.number().nullable()}).nullable(),
	/** ms since the epoch. */
	askedAt: z.number(),
	firstTextAt: z.number().nullable(),
	replaced: z.boolean(),
	/** Blocks of code that were run, from 0. */
	runs: z.array(z.int()),
});
const conversation = z.object({id: z.string(), server: z.string(), model: z.string(), turns: z.array(turn)});

export type SavedConversation = z.infer<typeof conversation>;
export type SavedTurn = SavedConversation['turns'][number];

/** `title`: the beginning of the first question. `changedAt`: ms since the epoch. */
export type ConversationSummary = {readonly id: string; readonly title: string; readonly turns: number; readonly changedAt: number};

/** Conversations of one service, a file each. Synchronous, so that it also works while the program ends. */
export type ConversationFiles = {
	/** Newest first; what cannot be read is left out. */
	list(server: string): readonly ConversationSummary[];
	/** Null when there is none. @throws {Error} with a sentence when it cannot be understood. */
	read(server: string, id: string): SavedConversation | null;
	/** Readers see the old or the new file. False, and nothing written, when another program has written it since we did. */
	write(conversation: SavedConversation): boolean;
	remove(server: string, id: string): void;
};

const MOST_LISTED = 300;
const ID = /^[\w-]{1,64}$/;

const hash = (parts: readonly string[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);

const markOf = (file: string): string | null => {
	const found = statSync(file, {throwIfNoEntry: false});
	return found === undefined ? null : `${found.mtimeMs} ${found.size} ${found.ino}`;
};

/** `service` is its base URL, or `local`. */
export const openConversationFiles = (folder: string, service: string): ConversationFiles => {
	/** By file: what it was when we read or wrote it. */
	const seen = new Map<string, string | null>();
	const titles = new Map<string, {readonly mark: string; readonly summary: ConversationSummary}>();
	// A name of a server may hold anything, and an address a password.
	const folderOf = (server: string): string => join(folder, hash([service, server]));
	const fileOf = (server: string, id: string): string => {
		if (!ID.test(id)) throw new Error('That is no conversation.');
		return join(folderOf(server), `${id}.json`);
	};
	const load = (file: string): SavedConversation => {
		try {
			return conversation.parse(JSON.parse(readFileSync(file, 'utf8')));
		} catch {
			throw new Error(`The conversation in ${file} cannot be read.`);
		}
	};
	const summaryOf = (file: string, mark: string, changedAt: number): ConversationSummary | null => {
		const known = titles.get(file);
		if (known?.mark === mark) return known.summary;
		try {
			const {id, turns} = load(file);
			const summary = {id, title: (turns[0]?.question ?? '').trim().split('\n', 1)[0]?.slice(0, 120) ?? '', turns: turns.length, changedAt};
			titles.set(file, {mark, summary});
			return summary;
		} catch {
			return null;
		}
	};
	return {
		list(server) {
			let names: readonly string[];
			try {
				names = readdirSync(folderOf(server));
			} catch {
				return [];
			}
			const files = names.filter(name => name.endsWith('.json')).flatMap(name => {
				const file = join(folderOf(server), name);
				const found = statSync(file, {throwIfNoEntry: false});
				return found === undefined ? [] : [{file, changedAt: found.mtimeMs, mark: markOf(file) ?? ''}];
			});
			return files.sort((a, b) => b.changedAt - a.changedAt).slice(0, MOST_LISTED).flatMap(({file, mark, changedAt}) => summaryOf(file, mark, changedAt) ?? []);
		},
		read(server, id) {
			const file = fileOf(server, id);
			const mark = markOf(file);
			if (mark === null) return null;
			const found = load(file);
			seen.set(file, mark);
			return found;
		},
		write(saved) {
			const file = fileOf(saved.server, saved.id);
			const mark = markOf(file);
			if (mark !== null && mark !== seen.get(file)) return false;
			mkdirSync(folderOf(saved.server), {recursive: true, mode: 0o700});
			const temp = `${file}.${process.pid}.tmp`;
			try {
				writeFileSync(temp, JSON.stringify(saved), {mode: 0o600});
				renameSync(temp, file);
			} catch (error) {
				rmSync(temp, {force: true});
				throw error;
			}
			seen.set(file, markOf(file));
			return true;
		},
		remove(server, id) {
			const file = fileOf(server, id);
			rmSync(file, {force: true});
			seen.delete(file);
		},
	};
};
