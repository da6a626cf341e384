import * as z from 'zod';
import {quarantinedPath, type ServiceStorage} from './service-storage.ts';
import {storageErrorText} from '../machine/disk-fault.ts';

/** Fields of dialogs whose text is saved as a draft. Search fields are not included. */
export const LINE_FIELDS = [
	'command',
	'add-file',
	'go-to-path',
	'search-files',
	'write-path',
	'export',
	'upload',
	'download',
] as const;
export type LineField = (typeof LINE_FIELDS)[number];

/** `create` and `sign-in` are forms. Their fields are saved as JSON, without keys. */
export type DraftField = 'code' | 'question' | 'create' | 'sign-in' | LineField;

const saved = z.object({
	text: z.string(),
	/** UTF-16 offset. Null if the text was set aside with Ctrl-C. */
	cursor: z.int().min(0).nullable(),
});

/** Text that was typed and neither sent nor deleted. */
export type Draft = Readonly<z.infer<typeof saved>>;

/** Drafts of one service, one file per field and server. */
export type Drafts = {
	/** Null if there is none. @throws {Error} with a sentence if it is unreadable. */
	read(server: string, field: DraftField): Draft | null;
	write(server: string, field: DraftField, draft: Draft): void;
	/** Removes the draft unless another program has changed it. */
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
						? `Saved drafts cannot be read: ${storageErrorText(error)}.`
						: `Saved drafts cannot be read; the file was moved to ${aside}.`,
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
