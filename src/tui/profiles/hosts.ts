import {explainFailure, type Failure, type Reply} from '../../api/failure.ts';
import type {HostList} from '../../contract/hosts.ts';
import {label} from '../../text/safe.ts';
import {catalogue} from '../compute/catalogue.ts';
import {part, type App} from '../core/app.ts';
import {notices} from '../core/store/notices.ts';
import {route} from '../core/store/route.ts';
import {environmentList} from '../environments/environments.ts';

export type HostsState = {
	/** Hosts of the local service, and ssh aliases; null until loaded. */
	readonly hosts: Pick<HostList, 'hosts' | 'aliases'> | null;
	/** Latest attempt to connect to a host. `failure`: a sentence; null during the attempt. */
	readonly connecting: {readonly host: string; readonly failure: string | null} | null;
};

export type SshHosts = {
	/** Shows the list of hosts. */
	openHosts(): void;
	/** Connects to a host, adds it to the compute options, and shows its hardware. */
	addHost(host: string): void;
	removeHost(host: string): void;
};

const textOf = (failure: Failure): string => label(failure.reason ?? explainFailure(failure).what, 400);

export const sshHosts = part(
	'sshHosts',
	({get, set, deps: {client}}: App): SshHosts => {
		const loadHosts = async (): Promise<void> => {
			const reply = await (await client()).hosts();
			if (reply.ok) set({hosts: reply.value});
			else notices(get).notify('bad', textOf(reply.failure));
		};
		/** Reloads the lists that depend on the hosts. */
		const settle = async (): Promise<void> => {
			await loadHosts();
			void catalogue(get).refreshCompute();
			void environmentList(get).refreshEnvironments();
		};
		const add = async (host: string): Promise<void> => {
			set({connecting: {host, failure: null}});
			const reply: Reply<unknown> = await (await client()).addHost(host);
			await settle();
			if (get().connecting?.host !== host) return;
			set({connecting: reply.ok ? null : {host, failure: textOf(reply.failure)}});
			const isOpen = get().dialogs.some(each => each.kind === 'host' && each.host === host);
			if (isOpen) return;
			if (reply.ok) notices(get).notify('good', `${label(host, 60)} was added to the compute options`);
			else notices(get).notify('bad', textOf(reply.failure));
		};
		const remove = async (host: string): Promise<void> => {
			const reply = await (await client()).removeHost(host);
			await settle();
			if (reply.ok) notices(get).notify('good', `${label(host, 60)} was removed. Nothing on it was changed`);
			else notices(get).notify('bad', textOf(reply.failure));
		};
		return {
			openHosts() {
				route(get).openDialog({kind: 'hosts'});
				void loadHosts();
			},
			addHost(host) {
				route(get).openDialog({kind: 'host', host});
				void add(host);
			},
			removeHost: host => void remove(host),
		};
	},
	(): HostsState => ({hosts: null, connecting: null}),
);
