// Kernels of an embedded server: the default kernel, kernels in separate processes, and additional
// ids with which clients share the default kernel.
import {randomUUID} from 'node:crypto';
import type {OwnKernel} from '../../engines/live-kernel.ts';
import {messageOf} from '../../text/errors.ts';
import {ServiceFault} from '../http/fault.ts';
import {createEmulatedKernel, SHARED, type EmulatedKernel, type KernelModel} from './emulated-kernel.ts';
import type {Line} from './replay-buffer.ts';

/** Kernel as seen by clients. */
export type ServerKernel = {
	readonly id: string;
	/** Id of the process that runs the kernel's code. Null if there is none. */
	pid(): number | null;
	/** Handles the connections of clients. */
	readonly kernel: EmulatedKernel;
	model(): KernelModel;
	/** True if the kernel has the same variables as the default kernel. */
	readonly isDefault: boolean;
	/** Reason why the kernel has no separate process, as a sentence. Null if it has one. */
	readonly sharedBecause: string | null;
	/** Restarts the kernel. @throws {ServiceFault} 409 if other kernels share its process. */
	restart(): Promise<void>;
	/** Ends the kernel. Never rejects. */
	end(): Promise<void>;
};

export type KernelsOptions = {
	/** Opens the default kernel, initially and after each shutdown. */
	readonly openDefault: () => EmulatedKernel;
	readonly defaultPid: () => number | null;
	/** Null for an engine that does not support additional kernels. */
	readonly startKernel: (() => Promise<OwnKernel>) | null;
	/** Reason why no further process can be started now. Null if one can. */
	readonly refusal: () => string | null;
	/** Number of sessions that use the default kernel. */
	readonly defaultSessions: () => number;
	/** Called when a kernel has ended, whether on request or not. */
	readonly onEnd: (id: string) => void;
};

export const createKernels = (options: KernelsOptions) => {
	const {openDefault, defaultPid, startKernel, refusal, defaultSessions, onEnd} = options;
	/** All kernels except the default one. */
	const others = new Map<string, ServerKernel>();
	const defaultUsers = (): number =>
		defaultSessions() + [...others.values()].filter(({isDefault}) => isDefault).length;
	const isDefaultShared = (): boolean => defaultUsers() > 1;
	const openMain = (): ServerKernel => {
		const kernel = openDefault();
		return {
			id: kernel.model().id,
			pid: defaultPid,
			kernel,
			model: kernel.model,
			isDefault: true,
			sharedBecause: null,
			restart: kernel.restart,
			end: endDefault,
		};
	};
	/** Ends the default kernel and deletes its variables. Later requests get a new kernel. */
	const endDefault = async (): Promise<void> => {
		const old = main;
		for (const [id, {isDefault}] of [...others]) if (isDefault) others.delete(id);
		onEnd(old.id);
		old.kernel.close();
		await old.kernel.restart();
		main = openMain();
	};
	const endDefaultIfUnused = async (): Promise<void> => {
		if (defaultUsers() === 0) await endDefault();
	};
	let main = openMain();

	const own = (live: OwnKernel): ServerKernel => {
		const kernel = createEmulatedKernel(live, () => undefined);
		const {id} = kernel.model();
		const forget = (): void => {
			if (!others.delete(id)) return;
			onEnd(id);
			kernel.close();
		};
		const opened: ServerKernel = {
			id,
			pid: () => live.pid(),
			kernel,
			model: kernel.model,
			isDefault: false,
			sharedBecause: null,
			restart: kernel.restart,
			async end() {
				forget();
				await live.close();
			},
		};
		others.set(id, opened);
		void live.ended.then(() => {
			kernel.tellDead();
			forget();
		});
		return opened;
	};

	return {
		main: () => main,
		others: (): readonly ServerKernel[] => [...others.values()],
		/**
		 * Starts a kernel in a separate process. A string result is the reason why that is not
		 * possible.
		 */
		async start(): Promise<ServerKernel | string> {
			if (startKernel === null) return 'This engine has one kernel.';
			const refused = refusal();
			if (refused !== null) return refused;
			try {
				return own(await startKernel());
			} catch (error) {
				return `Another Python process could not be started (${messageOf(error)}).`;
			}
		},
		/**
		 * Gives a client a new id for the default kernel. The client may end that kernel only while
		 * no other client uses it.
		 */
		share(sharedBecause: string): ServerKernel {
			const id = randomUUID();
			const lines = new Set<Line>();
			const mayEnd = (): boolean => !isDefaultShared();
			const {kernel} = main;
			const shared: ServerKernel = {
				id,
				pid: defaultPid,
				kernel: {
					...kernel,
					connect(session, line, received) {
						const {receive, leave} = kernel.connect(session, line, received, mayEnd);
						lines.add(line);
						return {
							receive,
							leave() {
								lines.delete(line);
								leave();
							},
						};
					},
				},
				model: () => ({...kernel.model(), id, connections: lines.size}),
				isDefault: true,
				sharedBecause,
				async restart() {
					if (isDefaultShared()) throw new ServiceFault(409, SHARED);
					await kernel.restart();
				},
				async end() {
					for (const line of lines) line.close();
					if (others.delete(id)) onEnd(id);
					await endDefaultIfUnused();
				},
			};
			others.set(id, shared);
			return shared;
		},
		isDefaultUsed: (): boolean => defaultUsers() > 0,
		endDefaultIfUnused,
		close(): void {
			main.kernel.close();
			for (const {kernel} of others.values()) kernel.close();
		},
	};
};

export type Kernels = ReturnType<typeof createKernels>;
