import {explainFailure, type Failure} from '../../api/failure.ts';
import {createEditor, type Editor} from '../../text/editor/editor.ts';
import {label} from '../../text/safe.ts';
import {part, type App} from '../core/app.ts';
import {notices} from '../core/store/notices.ts';
import {serverList} from './servers.ts';

/**
 * Form that adds a running Jupyter Server to the list. Its text is never stored, because it
 * contains a token.
 */
export type AttachForm = {
	/** Name of the server; empty if the service derives one from the address. */
	readonly name: string;
	readonly address: Editor;
	/** True while the service checks the address. */
	readonly checking: boolean;
	/** Reason for the latest failure. `failure`: the failed request, if one was sent. */
	readonly refusal: {readonly words: string; readonly failure?: Failure} | null;
};

export const newAttach = (name: string): AttachForm => ({
	name,
	address: createEditor(),
	checking: false,
	refusal: null,
});

export type AttachState = {
	/** Servers that this program has detached. Their absence from the list needs no notice. */
	readonly detached: ReadonlySet<string>;
};

export type AttachedServers = {
	/** Attaches the server in the form and reports the outcome. Returns the refusal, if any. */
	attach(form: AttachForm): Promise<AttachForm['refusal']>;
	/** Removes a server from the list and reports the outcome. */
	detach(server: string): Promise<void>;
};

const firstAttach = (): AttachState => ({detached: new Set()});

export const attachedServers = part(
	'attachedServers',
	({get, set, deps: {client}}: App): AttachedServers => ({
		async attach({name, address}) {
			const reached = await client();
			const reply = await reached.attachServer({address: address.text.trim(), ...(name !== '' && {name})});
			if (!reply.ok)
				return {words: reply.failure.reason ?? explainFailure(reply.failure).what, failure: reply.failure};
			const {server_name: attached} = reply.value;
			set({detached: new Set([...get().detached].filter(each => each !== attached))});
			notices(get).notify('good', `${label(attached, 60)} is attached`);
			await serverList(get).refreshServers();
			return null;
		},
		async detach(server) {
			const reached = await client();
			const reply = await reached.detachServer(server);
			if (!reply.ok)
				return notices(get).notify(
					'bad',
					label(reply.failure.reason ?? explainFailure(reply.failure).what, 300),
				);
			set({detached: new Set([...get().detached, server])});
			notices(get).notify(
				'good',
				`${label(server, 60)} was removed from the list. Nothing was stopped there`,
			);
			await serverList(get).refreshServers();
		},
	}),
	firstAttach,
);
