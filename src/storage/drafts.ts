import * as z from 'zod';
import {quarantinedPath, type ServiceStorage} from './service-storage.ts';
import {storageErrorText} from '../machine/disk-fault.ts';

/** Lines that a dialog asks for; what only searches is not among them. */
export const LINE_FIELDS = [
	'command',
	'add-file',
	'go-to-path',
	'write-path',
	'export',
	'upload',
	'download',
] as const;
export type LineField = (typeof LINE_FIELDS)[number];

/** `create` and `sign-in` are forms: JSON of their fields, and never a key. */
export type DraftField = 'code' | 'question' | 'create' | 'sign-in' | LineField;

const saved = z.object({
	text: z.string(),
	/** A UTF-16 offset; null: put aside with Ctrl-C. */
	cursor: z.int().min(0).nullable(),
});

/** Text that was typed and neither sent nor deleted. */
export type Draft = Readonly<z.infer<typeof saved>>;

/** Drafts of one service, a file for each field of each server. */
export type Drafts = {
	/** Null when there is none. @throws {Error} with a sentence when it cannot be understood. */
	read(server: string, field: DraftField): Draft | null;
	write(server: string, field: DraftField, draft: Draft): void;
	/** Leaves what another program has put there in the meantime. */
	remove(server: string, field: DraftField): void;
};

export const openDrafts = (keeper: ServiceStorage): Drafts => {
	const fileOf = (server: string, field: DraftField): string => keeper.fileOf('drafts', server, field);
	return {
		read(server, field) {
			const file = fileOf(server, field);
			try {
				return keeper.read(file, json => saved.safeParse(json).data ?? null);
			} catch (error) {
				const aside = quarantinedPath(error);
				throw new Error(
					aside === null
						? `What was typed before cannot be read: ${storageErrorText(error)}.`
						: `What was typed before cannot be read; it was put aside as ${aside}.`,
					{cause: error},
				);
			}
		},
		write: (server, field, draft) =>
			keeper.write(fileOf(server, field), {...draft, savedAt: new Date().toISOString()}),
		remove(server, field) {
			const file = fileOf(server, field);
			if (!keeper.isOthers(file)) keeper.remove(file);
		},
	};
};
