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
	/** What the model thought before it: an earlier version kept none. */
	reasoning: z.string().default(''),
	state: z.enum(['waiting', 'streaming', 'done', 'incomplete', 'stopped', 'failed', 'cut']),
	/** Why it is not whole, as it was shown. */
	problem: z.string().nullable(),
	finishReason: z.string().nullable(),
	/** Sentence about stream lines outside the text. Earlier versions saved none. */
	leftOut: z.string().default(''),
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
export type ConversationSummary = {
	readonly id: string;
	readonly title: string;
	readonly turns: number;
	readonly changedAt: number;
};

/** Conversations of one service, a file each. Synchronous, so that it also works while the program ends. */
export type Conversations = {
	/** Newest first; what cannot be read is left out. */
	list(server: string): readonly ConversationSummary[];
	/** Null when there is none. @throws {Error} with a sentence when it cannot be understood. */
	read(server: string, id: string): SavedConversation | null;
	/** Readers see the old or the new file. False, and nothing written, when another program has written it since we did. */
	write(conversation: SavedConversation): boolean;
	remove(server: string, id: string): void;
};

const understood = (json: unknown): SavedConversation | null => conversation.safeParse(json).data ?? null;

const MOST_LISTED = 300;
const ID = /^[\w-]{1,64}$/;

export const openConversations = (keeper: ServiceStorage): Conversations => {
	const titles = new Map<string, {readonly mark: string; readonly summary: ConversationSummary}>();
	const fileOf = (server: string, id: string): string => {
		if (!ID.test(id)) throw new Error('That is not a conversation.');
		return keeper.fileOf('conversations', server, id);
	};
	const summaryOf = (file: string, stats: Stats): ConversationSummary | null => {
		const mark = markOf(stats);
		const known = titles.get(file);
		if (known?.mark === mark) return known.summary;
		const found = readIfValid(file, understood);
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
				return keeper.read(file, understood);
			} catch (error) {
				const aside = quarantinedPath(error);
				throw new Error(
					`The conversation in ${file} cannot be read${aside === null ? `: ${storageErrorText(error)}` : `; it was put aside as ${aside}`}.`,
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
