import {explainFailure} from '../../api/failure.ts';
import {createEditor, type Editor} from '../../text/editor/editor.ts';
import {label} from '../../text/safe.ts';
import type {Slice} from '../core/program.ts';
import type {Deps} from '../core/store/deps.ts';

/** The form that puts a running Jupyter Server into the list. What is typed is kept nowhere: it holds a token. */
export type AttachForm = {
	/** Empty: the service makes one of the address. */
	readonly name: string;
	readonly address: Editor;
	/** The service is being asked. */
	readonly checking: boolean;
	/** Why the last try failed. */
	readonly refusal: string | null;
};

export const newAttach = (name: string): AttachForm => ({
	name,
	address: createEditor(),
	checking: false,
	refusal: null,
});

export type AttachSlice = {
	/** Attaches what the form names and tells of it; answers why not. */
	attach(form: AttachForm): Promise<string | void>;
	/** Takes a server out of the list and tells what came of it. */
	detach(server: string): Promise<void>;
};

export const createAttachSlice =
	({client}: Deps): Slice<AttachSlice> =>
	(_, get) => ({
		async attach({name, address}) {
			const reached = await client();
			const reply = await reached.attachServer({address: address.text.trim(), ...(name !== '' && {name})});
			if (!reply.ok) return reply.failure.reason ?? explainFailure(reply.failure).what;
			const {server_name: attached} = reply.value;
			get().notify('good', `${label(attached, 60)} is attached`);
			await get().refreshServers();
		},
		async detach(server) {
			const reached = await client();
			const reply = await reached.detachServer(server);
			if (!reply.ok)
				return get().notify('bad', label(reply.failure.reason ?? explainFailure(reply.failure).what, 300));
			get().notify('good', `${label(server, 60)} is taken out of the list. Nothing was stopped there`);
			await get().refreshServers();
		},
	});
