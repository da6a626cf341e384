import {isHostAlias} from '../../contract/names.ts';
import type {AdoptRequest, HostItem, LeftItem} from '../../contract/hosts.ts';
import {ServiceFault} from '../http/fault.ts';
import type {Caller} from '../servers.ts';
import {asServiceFault, createAdoption} from './adopt.ts';
import type {Hosts} from './hosts.ts';
import type {RemoteStore} from './store.ts';

export type RunningOnHost = {
	readonly name: string;
	readonly host: string;
	/** Price per hour. Null if unknown. */
	readonly rate: number | null;
};

/** Manages the user's hosts and the servers on them. Its functions throw {@link ServiceFault}. */
export type RemoteHosts = {
	list(): {readonly hosts: HostItem[]; readonly aliases: string[]};
	add(host: string): Promise<HostItem>;
	/** Path of the control socket through which connections to a host are shared. */
	control(host: string): string;
	remove(host: string): Promise<void>;
	/** Servers on hosts that keep running after the service has ended. */
	running(): readonly RunningOnHost[];
	/** Servers of the user on a host, including those started by other machines. */
	servers(host: string): Promise<LeftItem[]>;
	/** Takes over a server that another machine started. */
	adopt(caller: Caller, request: AdoptRequest): Promise<LeftItem>;
	/** Stops a server in any state. The list of servers shows when it has stopped. */
	stop(name: string): void;
	/** Opens a local socket that leads to a port of a server's machine. Returns its path. */
	openPort(name: string, port: number): Promise<string>;
	/** Calls `notify` whenever the state of a server changes. Returns a function that ends this. */
	subscribe(notify: () => void): () => void;
};

export const createRemoteHosts = ({
	store,
	hosts,
	aliases,
	stop,
	openPort,
	checkName,
	subscribe,
}: {
	readonly store: RemoteStore;
	readonly hosts: Hosts;
	readonly aliases: () => readonly string[];
	readonly stop: (name: string) => void;
	readonly openPort: RemoteHosts['openPort'];
	readonly subscribe: RemoteHosts['subscribe'];
	/** Throws if the user already has a server with the name. */
	readonly checkName: (caller: Caller, name: string) => Promise<void>;
}): RemoteHosts => {
	const checkHost = (host: string): string => {
		if (isHostAlias(host)) return host;
		throw new ServiceFault(
			400,
			'A host is an alias of ~/.ssh/config or a host name: letters, digits, dots, dashes and underscores.',
		);
	};
	const adoption = createAdoption({store, hosts});
	return {
		list: () => ({
			hosts: hosts.names().map(hosts.item),
			aliases: aliases().filter(alias => !hosts.names().includes(alias)),
		}),
		async add(host) {
			try {
				await hosts.add(checkHost(host));
			} catch (error) {
				throw asServiceFault(error);
			}
			return hosts.item(host);
		},
		control: host => hosts.control(checkHost(host)),
		async remove(host) {
			const running = store.servers().find(server => server.host === host && server.started);
			if (running) throw new ServiceFault(409, `The server ${running.name} runs on ${host}. Stop it first.`);
			if (!hosts.names().includes(host))
				throw new ServiceFault(
					404,
					`There is no host ${JSON.stringify(host)}; svc-tui ssh list shows your hosts.`,
				);
			await hosts.remove(host);
			if (hosts.names().includes(host))
				throw new ServiceFault(
					409,
					`Your settings name the host ${host}: remove it from "hosts" in settings.json.`,
				);
			for (const server of store.servers()) if (server.host === host) store.removeServer(server.id);
		},
		running: () =>
			store
				.servers()
				.filter(({started}) => started)
				.map(({name, host, server_request: id}) => {
					const option = hosts.options().find(each => each.id === id)?.option;
					const isKnown = option !== undefined && option['price_known'] !== false;
					return {name, host, rate: isKnown ? option.hourly_price : null};
				}),
		servers: host => adoption.list(checkHost(host)),
		adopt: (caller, request) => {
			checkHost(request.host);
			return adoption.adopt(request, name => checkName(caller, name));
		},
		stop,
		async openPort(name, port) {
			try {
				return await openPort(name, port);
			} catch (error) {
				throw asServiceFault(error);
			}
		},
		subscribe,
	};
};
