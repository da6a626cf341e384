import {setTimeout as sleep} from 'node:timers/promises';
import {
	completeRequest,
	completionIn,
	inspectionIn,
	inspectRequest,
	type KernelMessage,
	type Request,
} from '../../kernel/messages.ts';
import type {LiveCompletion} from '../client-types.ts';
import type {Channel} from './channel.ts';

/** Time limit of a request, in ms. A kernel that runs another client's code replies only later. */
const ANSWER_MS = 5000;

/**
 * Completion and documentation. Both are null while a cell of this link runs, or if no reply
 * arrives in time.
 */
export type Introspection = {
	complete(code: string, cursor: number): Promise<LiveCompletion | null>;
	inspect(code: string, cursor: number, detail: 0 | 1): Promise<string | null>;
	/** Handles a reply to a request that is not a cell. */
	see(message: KernelMessage): void;
};

export const createIntrospection = (channel: Channel, hasCells: () => boolean): Introspection => {
	const asked = new Map<string, (message: KernelMessage) => void>();
	const ask = async <T>(
		requestFor: (session: string) => Request,
		read: (message: KernelMessage) => T | null,
	): Promise<T | null> => {
		const isReady = Promise.race([channel.ready(), sleep(ANSWER_MS, false, {ref: false})]);
		if (hasCells() || !(await isReady)) return null;
		const request = requestFor(channel.session());
		const {promise, resolve} = Promise.withResolvers<T | null>();
		const limit = setTimeout(() => resolve(null), ANSWER_MS);
		asked.set(request.id, message => resolve(read(message)));
		if (!channel.ask(request)) resolve(null);
		const found = await promise;
		clearTimeout(limit);
		asked.delete(request.id);
		return found;
	};
	return {
		complete: (code, cursor) =>
			ask(
				session => completeRequest(session, code, cursor),
				message => completionIn(message, code),
			),
		inspect: (code, cursor, detail) =>
			ask(session => inspectRequest(session, code, cursor, detail), inspectionIn),
		see(message) {
			if (message.msg_type.endsWith('_reply')) asked.get(message.parent_header.msg_id)?.(message);
		},
	};
};
