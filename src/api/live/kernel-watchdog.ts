import {setTimeout as sleep} from 'node:timers/promises';
import {infoRequests, type KernelMessage} from '../../kernel/messages.ts';
import type {Cell, Cells} from './cells.ts';
import type {Channel} from './channel.ts';
import type {Rest} from './rest.ts';

/** A channel that was cut, or never heard, and is silent for so long is asked whether it is one. */
const SILENT_MS = 4000;
const WATCH_MS = 1000;
/** A channel that answers nothing is opened anew so many times while a cell runs: a kernel may be too busy to answer. */
const MOST_OPENED = 5;

/** What was asked behind cells whose end may be lost. */
type Asked = {
	readonly id: string;
	/** Milliseconds since the epoch. */
	readonly at: number;
	readonly cells: readonly Cell[];
	replied: boolean;
	idle: boolean;
};

export type SilenceWatch = {
	/** Begins, as long as there are cells whose end may be lost. */
	begin(): void;
	/** The kernel was heard, or a cell was sent. */
	heard(): void;
	/** What was asked before is not answered any more. */
	cut(): void;
	/** An answer to what is no cell. */
	see(message: KernelMessage): void;
};

type Events = {
	/** These cells are over: what was asked behind them is answered. */
	readonly onBehind: (cells: readonly Cell[]) => void;
	/** The server has no such kernel any more. */
	readonly onGone: () => void;
};

/**
 * Watches a channel that was cut or never heard: it may stay silent for ever, and the end of a cell may be lost. What the server calls the kernel says nothing: it is
 * `idle` behind every answer on the control channel, whatever runs.
 */
export const createSilenceWatch = (
	kernel: string,
	rest: Rest,
	channel: Channel,
	{pending}: Pick<Cells, 'pending'>,
	{onBehind, onGone}: Events,
): SilenceWatch => {
	let heardAt = 0;
	let watching = false;
	let asked: Asked | null = null;

	/** Asks on control, which is heard at once, and behind the cells on shell. */
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
				// It did not answer either, not even on control.
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
