import {explainFailure, type Failure} from '../../api/failure.ts';
import {createEditor, type Editor} from '../../text/editor/editor.ts';
import {label} from '../../text/safe.ts';
import {part, type App} from '../core/app.ts';
import {notices} from '../core/store/notices.ts';
import {serverList} from './servers.ts';

/** The form that puts a running Jupyter Server into the list. What is typed is kept nowhere: it holds a token. */
export type AttachForm = {
	/** Empty: the service makes one of the address. */
	readonly name: string;
	readonly address: Editor;
	/** The service is being asked. */
	readonly checking: boolean;
	/** Why the last try failed; `failure`: of the call, where one was made. */
	readonly refusal: {readonly words: string; readonly failure?: Failure} | null;
};

export const newAttach = (name: string): AttachForm => ({
	name,
	address: createEditor(),
	checking: false,
	refusal: null,
});

export type AttachState = {
	/** Servers that were taken out of the list from here: no list is asked why they are not in it. */
	readonly detached: ReadonlySet<string>;
};

export type AttachedServers = {
	/** Attaches what the form names and tells of it; answers why not. */
	attach(form: AttachForm): Promise<AttachForm['refusal']>;
	/** Takes a server out of the list and tells what came of it. */
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
			notices(get).notify('good', `${label(server, 60)} is taken out of the list. Nothing was stopped there`);
			await serverList(get).refreshServers();
		},
	}),
	firstAttach,
);
