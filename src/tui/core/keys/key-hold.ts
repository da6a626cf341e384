import type {Screen} from '../program.ts';
import {isClosed, isPane, screenSpec, workspaceInfo} from '../features.ts';
import {keymap} from './keymap.ts';
import {firstScreen} from '../store/route.ts';
import type {State, Store} from '../program.ts';
import {keyText} from '../../../text/key-name.ts';
import {label} from '../../../text/safe.ts';
import type {Scope} from '../program.ts';
import {notices} from '../store/notices.ts';

/**
 * Longest time that keys are held for the first list of servers, and the delay before a notice
 * about it, in ms.
 */
const LONGEST = 15_000;
const TELL = 1000;

/** True while the first list of servers is loading. */
const isAwaited = (state: State): boolean => {
	const {value, failure} = workspaceInfo()?.list(state) ?? {value: null};
	return value === undefined && failure === undefined && state.connection.status !== 'failed';
};

/** True if the pane opens when its server is ready. */
const isComing = (state: State): boolean =>
	isClosed(state) && state.connection.status !== 'failed' && workspaceInfo()?.isComing(state) === true;

/** True if typed text is held for a pane whose server is starting. */
export const isTypeahead = (state: State): boolean =>
	state.dialogs.length === 0 &&
	isComing(state) &&
	(screenSpec(state.screen).scopes?.(state) ?? []).some(scope => keymap[scope].isText);

/**
 * True if the effect of a key depends on servers that are unknown or not ready yet. `found`:
 * binding of the key; undefined for text and for keys without an effect.
 */
export const mustHoldKey = (
	state: State,
	found: {readonly scope: Scope; readonly binding: {readonly action: string}} | undefined,
): boolean => {
	if (state.dialogs.length > 0 || (state.chord !== null && found === undefined)) return false;
	// The pane may open soon, so only keys that leave the pane act at once.
	if (isPane(state.screen) && (isAwaited(state) || isComing(state)))
		return (
			found === undefined ||
			(found.scope === workspaceInfo()?.closedScope &&
				(isAwaited(state) || workspaceInfo()?.actsWhileComing(found.binding.action) !== true)) ||
			(found.scope === 'global' &&
				found.binding.action !== 'back' &&
				(isAwaited(state) || isTypeahead(state)))
		);
	if (!isAwaited(state)) return false;
	if (found?.scope === 'own') return true;
	return found?.scope === firstScreen() && workspaceInfo()?.needsList(state, found.binding.action) === true;
};

/** Held keys; `current` and `screen` are the server and screen they are meant for. */
type Waiting<Asked> = {
	readonly keys: Asked[];
	readonly current: string | null;
	readonly screen: Screen;
	readonly timers: readonly NodeJS.Timeout[];
};

/**
 * Holds keys until the first list of servers has arrived, or in a pane until its server has
 * started, then sends them in order.
 * A key must never act later than the user expects. The keys are dropped with a notice if the list
 * fails, takes too long or lacks the intended server, or if the server that text was typed for does
 * not become ready.
 */
export const createKeyHold = <Asked>(store: Store, send: (keys: readonly Asked[]) => void) => {
	let waiting: Waiting<Asked> | undefined;

	const taken = (): Waiting<Asked> | undefined => {
		const was = waiting;
		was?.timers.forEach(clearTimeout);
		waiting = undefined;
		return was;
	};

	const drop = (why: string): void => {
		const count = taken()?.keys.length ?? 0;
		if (count > 0)
			notices(store.getState).notify(
				'info',
				`${count === 1 ? 'A key was' : `${count} keys were`} discarded: ${why}`,
			);
	};

	const settled = (): void => {
		const state = store.getState();
		if (waiting === undefined || isAwaited(state)) return;
		const {current, screen} = waiting;
		if ((current === null || state.current === current) && isComing({...state, screen})) return;
		if (workspaceInfo()?.list(state).value === undefined) return drop('the list of servers did not arrive');
		if (current !== null && state.current !== current)
			return drop(`${label(current, 40)} is no longer in the list`);
		// Text that was typed for a prompt must not act as keys of the page that is shown instead.
		if (isPane(screen) && isClosed({...state, screen}))
			return drop(`${label(state.current ?? 'the server', 40)} is not ready`);
		send(taken()?.keys ?? []);
	};

	const tell = (): void => {
		const state = store.getState();
		const what = isAwaited(state)
			? 'for the list of servers'
			: `until ${label(state.current ?? '', 40)} is ready`;
		notices(store.getState).notify(
			'info',
			`Waiting ${what}: ${keyText('esc')} discards the keys you pressed`,
			() => waiting !== undefined,
		);
	};

	return {
		isOn: (): boolean => waiting !== undefined,
		begin(keys: readonly Asked[]): void {
			const {current, screen} = store.getState();
			const timers = [
				setTimeout(tell, TELL),
				setTimeout(() => {
					if (isAwaited(store.getState()))
						drop(`the list of servers did not arrive within ${LONGEST / 1000} s`);
				}, LONGEST),
			];
			for (const timer of timers) timer.unref();
			waiting = {keys: [...keys], current, screen, timers};
		},
		add(keys: readonly Asked[]): void {
			waiting?.keys.push(...keys);
			// A start may take minutes, so a notice explains why the key does not act yet.
			if (!isAwaited(store.getState())) tell();
		},
		drop,
		/** Subscribes to the state. Returns a function that unsubscribes. */
		watch(): () => void {
			// The store makes further changes in the same turn after the list has arrived, so the
			// keys are sent later.
			const stop = store.subscribe(state => {
				if (waiting !== undefined && !isAwaited(state)) setImmediate(settled);
			});
			return () => {
				stop();
				taken();
			};
		},
	};
};
