import {statSync, type Stats} from 'node:fs';
import {dirname} from 'node:path';
import * as z from 'zod';
import {markOf} from '../machine/atomic-write.ts';
import {filesIn, readIfValid, quarantinedPath, type ServiceStorage} from './service-storage.ts';
import {storageErrorText} from '../machine/disk-fault.ts';

const packed = z.object({mention: z.string(), head: z.string(), language: z.string(), text: z.string()});
const turn = z.object({
	question: z.string(),
	carried: z.array(packed),
	model: z.string(),
	answer: z.string(),
	/** The model's reasoning. Earlier versions saved none. */
	reasoning: z.string().default(''),
	state: z.enum(['waiting', 'streaming', 'done', 'incomplete', 'stopped', 'failed', 'cut']),
	/** Reason why the answer is incomplete, as shown. */
	problem: z.string().nullable(),
	finishReason: z.string().nullable(),
	/**
	 * Sentence about lines of the stream that are not part of the answer. Earlier versions saved
	 * none.
	 */
	leftOut: z.string().default(''),
	usage: z.object({promptTokens: z.number().nullable(), completionTokens: z.number().nullable()}).nullable(),
	/** In ms since the epoch. */
	askedAt: z.number(),
	firstTextAt: z.number().nullable(),
	replaced: z.boolean(),
	/** Indexes of the code blocks that were run. */
	runs: z.array(z.int()),
});
const conversation = z.object({id: z.string(), server: z.string(), model: z.string(), turns: z.array(turn)});

export type SavedConversation = z.infer<typeof conversation>;
export type SavedTurn = SavedConversation['turns'][number];

/** `title`: start of the first question. `changedAt`: in ms since the epoch. */
export type ConversationSummary = {
	readonly id: string;
	readonly title: string;
	readonly turns: number;
	readonly changedAt: number;
};

/** Conversations of one service, one file each. Synchronous, so that it works during exit. */
export type Conversations = {
	/** Newest first, without unreadable conversations. */
	list(server: string): readonly ConversationSummary[];
	/** Null if there is none. @throws {Error} with a sentence if it is unreadable. */
	read(server: string, id: string): SavedConversation | null;
	/**
	 * Writes atomically. Returns false and writes nothing if another program has changed the file.
	 */
	write(conversation: SavedConversation): boolean;
	remove(server: string, id: string): void;
};

const parseConversation = (json: unknown): SavedConversation | null =>
	conversation.safeParse(json).data ?? null;

const MOST_LISTED = 300;
const ID = /^[\w-]{1,64}$/;

export const openConversations = (keeper: ServiceStorage): Conversations => {
	const titles = new Map<string, {readonly mark: string; readonly summary: ConversationSummary}>();
	const fileOf = (server: string, id: string): string => {
		if (!ID.test(id)) throw new Error('This is not a conversation.');
		return keeper.fileOf('conversations', server, id);
	};
	const summaryOf = (file: string, stats: Stats): ConversationSummary | null => {
		const mark = markOf(stats);
		const known = titles.get(file);
		if (known?.mark === mark) return known.summary;
		const found = readIfValid(file, parseConversation);
		if (found === null) return null;
		const {id, turns} = found;
		const summary = {
			id,
			title: (turns[0]?.question ?? '').trim().split('\n', 1)[0]?.slice(0, 120) ?? '',
			turns: turns.length,
			changedAt: stats.mtimeMs,
		};
		titles.set(file, {mark, summary});
		return summary;
	};
	return {
		list: server =>
			filesIn(dirname(fileOf(server, 'any')))
				.flatMap(file => {
					const stats = statSync(file, {throwIfNoEntry: false});
					return stats === undefined ? [] : [{file, stats}];
				})
				.sort((a, b) => b.stats.mtimeMs - a.stats.mtimeMs)
				.slice(0, MOST_LISTED)
				.flatMap(({file, stats}) => summaryOf(file, stats) ?? []),
		read(server, id) {
			const file = fileOf(server, id);
			try {
				return keeper.read(file, parseConversation);
			} catch (error) {
				const aside = quarantinedPath(error);
				throw new Error(
					`The conversation in ${file} cannot be read${aside === null ? `: ${storageErrorText(error)}` : `; it was moved to ${aside}`}.`,
					{cause: error},
				);
			}
		},
		write(saved) {
			const file = fileOf(saved.server, saved.id);
			if (keeper.isOthers(file)) return false;
			keeper.write(file, saved);
			return true;
		},
		remove: (server, id) => keeper.remove(fileOf(server, id)),
	};
};
