import {setTimeout as sleep} from 'node:timers/promises';
import {infoRequests, type KernelMessage} from '../../kernel/messages.ts';
import type {Cell, Cells} from './cells.ts';
import type {Channel} from './channel.ts';
import type {Rest} from './rest.ts';

/** Silence in ms after which a channel is probed, if it was cut or the kernel never responded. */
const SILENT_MS = 4000;
const WATCH_MS = 1000;
/**
 * Attempts to reopen a silent channel while a cell runs. Limited, because the kernel may only be
 * too busy to respond.
 */
const MOST_OPENED = 5;

/**
 * A request that is queued behind cells whose end may have been lost. Its reply proves that they
 * have ended.
 */
type Probe = {
	readonly id: string;
	/** In ms since the epoch. */
	readonly at: number;
	readonly cells: readonly Cell[];
	replied: boolean;
	idle: boolean;
};

export type KernelWatchdog = {
	/** Starts watching while there are cells whose end may be lost. */
	begin(): void;
	/** Called when the kernel sends a message, or a cell is sent. */
	heard(): void;
	/** Discards the pending probe, because its reply is lost. */
	cut(): void;
	/** Handles a reply to a request that is not a cell. */
	see(message: KernelMessage): void;
};

type Events = {
	/** Reports cells that have ended, because the kernel has replied to a probe behind them. */
	readonly onBehind: (cells: readonly Cell[]) => void;
	/** The kernel no longer exists on the server. */
	readonly onGone: () => void;
};

/**
 * Watches a channel that was cut, or on which the kernel never responded. Such a channel may stay
 * silent, and the end of a cell may be lost. The state in the server's list does not help: it is
 * `idle` after each reply on the control channel, even while code runs.
 */
export const createKernelWatchdog = (
	kernel: string,
	rest: Rest,
	channel: Channel,
	{pending}: Pick<Cells, 'pending'>,
	{onBehind, onGone}: Events,
): KernelWatchdog => {
	let heardAt = 0;
	let watching = false;
	let asked: Probe | null = null;

	/**
	 * Sends probes on the control channel, where the kernel replies immediately, and on the shell
	 * channel, behind the cells.
	 */
	const askBehind = (): void => {
		const [shell, control] = infoRequests(channel.session());
		if (!channel.ask(shell) || !channel.ask(control)) return;
		asked = {id: shell.id, at: Date.now(), cells: pending(), replied: false, idle: false};
	};
	const watch = async (): Promise<void> => {
		if (watching) return;
		watching = true;
		let opened = 0;
		let patience = SILENT_MS;
		while (pending().some(({wasCut, wasUnheard}) => wasCut || wasUnheard)) {
			await sleep(WATCH_MS, undefined, {ref: false});
			if (Date.now() - heardAt < SILENT_MS) continue;
			const answer = await rest('GET', `kernels/${kernel}`);
			if (answer?.status === 404) onGone();
			if (answer?.status !== 200 || !(await channel.open()) || Date.now() - heardAt < SILENT_MS) continue;
			if (asked === null || Date.now() - asked.at > patience) {
				// The kernel has not even replied on the control channel.
				if (asked !== null && heardAt < asked.at && opened < MOST_OPENED) {
					opened++;
					patience *= 2;
					channel.breakOff();
					continue;
				}
				askBehind();
			}
		}
		asked = null;
		watching = false;
	};

	return {
		begin: () => void watch(),
		heard() {
			heardAt = Date.now();
		},
		cut() {
			asked = null;
		},
		see({msg_type: type, content, parent_header: parent}) {
			if (asked === null || parent.msg_id !== asked.id) return;
			if (type === 'kernel_info_reply') asked.replied = true;
			if (type === 'status' && content['execution_state'] === 'idle') asked.idle = true;
			if (!asked.replied || !asked.idle) return;
			const {cells} = asked;
			asked = null;
			onBehind(cells);
		},
	};
};
