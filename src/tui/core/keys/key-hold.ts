import type {Screen} from '../program.ts';
import {isClosed, isPane, screenSpec, workspaceInfo} from '../features.ts';
import {keymap} from './keymap.ts';
import {firstScreen} from '../store/route.ts';
import type {State, Store} from '../program.ts';
import {keyInWords} from '../../../text/key-name.ts';
import {label} from '../../../text/safe.ts';
import type {Scope} from '../program.ts';
import {notices} from '../store/notices.ts';

/** How long keys wait for the first list of servers, and after how long it is said what they wait for, in ms. */
const LONGEST = 15_000;
const TELL = 1000;

/** The first list is on its way. */
const isAwaited = (state: State): boolean => {
	const {value, failure} = workspaceInfo()?.list(state) ?? {value: null};
	return value === undefined && failure === undefined && state.connection.status !== 'failed';
};

/** A pane stands there as soon as its server is ready. */
const isComing = (state: State): boolean =>
	isClosed(state) && state.connection.status !== 'failed' && workspaceInfo()?.isComing(state) === true;

/** What is typed is text of a pane whose server is about to be ready. */
export const isTypeahead = (state: State): boolean =>
	state.dialogs.length === 0 &&
	isComing(state) &&
	(screenSpec(state.screen).scopes?.(state) ?? []).some(scope => keymap[scope].isText);

/** True when what a key does hangs on servers that are not known or not ready yet. `found`: what the key table says of it; undefined for text and keys that do nothing. */
export const mustHoldKey = (
	state: State,
	found: {readonly scope: Scope; readonly binding: {readonly action: string}} | undefined,
): boolean => {
	if (state.dialogs.length > 0 || state.chord !== null) return false;
	// Where a prompt may stand in a moment nothing is a key yet but what leaves it.
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

/** `current` and `screen`: what the keys were pressed for. */
type Waiting<Asked> = {
	readonly keys: Asked[];
	readonly current: string | null;
	readonly screen: Screen;
	readonly timers: readonly NodeJS.Timeout[];
};

/**
 * Keys that wait for the first list of servers, or in a pane for its server that is being started, and then act in their order. They never act late
 * by surprise: when the list fails or takes too long, when it lacks the server that was meant, or when text meets a server that does not become
 * ready, they are dropped, which is said.
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
				`${count === 1 ? 'A key was' : `${count} keys were`} not carried out: ${why}`,
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
		// What was typed at a prompt must not become keys of the page that stands in its place.
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
			`Waiting ${what}: ${keyInWords('esc')} cancels the keys pressed meanwhile`,
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
			// A start may take minutes: nobody shall wonder then why a key does nothing.
			if (!isAwaited(store.getState())) tell();
		},
		drop,
		/** Answers the function that ends it. */
		watch(): () => void {
			// What the list changes is complete at the end of the turn.
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
