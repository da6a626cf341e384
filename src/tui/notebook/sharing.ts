import {openKernel, sessionOf, type Ownership} from '../../run/open-kernel.ts';
import {joinNames} from '../../text/join-names.ts';
import {part, type App} from '../core/app.ts';
import {serverLinks} from '../live/links.ts';
import {notebookList} from './notebooks.ts';
import {documentOf, runsNow, type OpenNotebook} from './open-notebook.ts';

/** Other users of a notebook's kernel, for the title. Empty if no one else uses the kernel. */
export const sharingText = (ownership: Ownership | undefined): string =>
	ownership?.kind === 'shared' ? `, shared with ${joinNames(ownership.with, 2)}` : '';

/** Requests the users of a notebook's kernel each time its cells start to run. */
export const notebookSharing = part('notebookSharing', ({get, subscribe, deps: {client}}: App) => {
	const readOwnership = async (open: OpenNotebook): Promise<void> => {
		const {server} = open;
		const document = documentOf(open);
		const kernel = openKernel(
			{
				live: async () => serverLinks(get).linkOf(server, sessionOf(document)),
				client,
				isLocal: get().isLocal,
			},
			server,
			document,
		);
		const ownership = await kernel.ownership();
		notebookList(get).changeNotebook(open, () => ({ownership}));
	};
	subscribe((state, old) => {
		if (state.notebooks === old.notebooks) return;
		for (const [name, open] of state.notebooks) {
			const before = old.notebooks.get(name);
			if (before?.runs !== open.runs && runsNow(open) && !(before && runsNow(before)))
				void readOwnership(open);
		}
	});
	return {};
});
