import {existsSync} from 'node:fs';
import {join} from 'node:path';
import * as z from 'zod';
import {writeDurably} from '../../machine/atomic-write.ts';
import {readPrivate} from '../../machine/private-file.ts';
import {jsonIn} from '../../text/record.ts';
import {usageError} from '../serve-error.ts';

const entry = z.object({
	name: z.string(),
	/** Base URL. Ends with a slash and does not contain the token. */
	url: z.url(),
	token: z.string(),
	/** Extra CA certificate for the server, in PEM format. */
	authority: z.string().optional(),
});
const shape = z.record(z.string(), z.array(entry));

/** Jupyter Server outside the service that a user has attached. */
export type AttachedServer = z.infer<typeof entry>;

/**
 * Stores the attached servers in a file that only its owner can read.
 * @throws {ServeError} if the file cannot be used.
 */
export const openAttachedStore = (dataFolder: string) => {
	const file = join(dataFolder, 'attached.json');
	const read = (): z.infer<typeof shape> => {
		if (!existsSync(file)) return {};
		const found = readPrivate(file);
		const kept = 'text' in found ? shape.safeParse(jsonIn(found.text)) : null;
		if (kept?.success) return kept.data;
		throw usageError(
			`The attached servers in ${file} cannot be used${'fault' in found && found.fault === 'open' ? ', because other users can read the file: run chmod 600 on it' : ''}; restore it from a backup, or move it away and attach them again.`,
		);
	};
	let all = read();
	const keep = (user: string, servers: readonly AttachedServer[]): void => {
		const {[user]: _, ...others} = all;
		const next = servers.length === 0 ? others : {...others, [user]: [...servers]};
		writeDurably(file, `${JSON.stringify(next, null, '\t')}\n`);
		all = next;
	};
	const list = (user: string): readonly AttachedServer[] =>
		Object.hasOwn(all, user) ? (all[user] ?? []) : [];
	return {
		list,
		add: (user: string, server: AttachedServer): void => keep(user, [...list(user), server]),
		remove: (user: string, name: string): void =>
			keep(
				user,
				list(user).filter(server => server.name !== name),
			),
	};
};

export type AttachedStore = ReturnType<typeof openAttachedStore>;
