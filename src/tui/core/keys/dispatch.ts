import type {Key} from 'ink';
import type {Scope, State, Store} from '../program.ts';
import {keyText} from '../../../text/key-name.ts';
import {isCount, pressAfterCount, type Found} from './counts.ts';
import {createKeyHold, mustHoldKey} from './key-hold.ts';
import {pressesOf, type KeyPress} from './key-names.ts';
import type {KeyContext, TextHandler} from '../feature.ts';
import {dialogSpec} from '../features.ts';
import {contextOf, type Size} from './key-context.ts';
import {keymap} from './keymap.ts';
import {
	actionThatHad,
	actionWith,
	bindingsOf,
	hasChord,
	isLeader,
	LEADER,
	type KeyRules,
} from './live-keys.ts';
import {keyHere, whyNotHere} from './leader.ts';
import {keyPath} from './scopes.ts';
import {route} from '../store/route.ts';
import {notices} from '../store/notices.ts';

/**
 * Longest paste that a field accepts, in UTF-16 units, because each later key formats the whole
 * text again. A longer paste is rejected as a whole: a part of a question or of code would have
 * another meaning.
 */
const LONGEST_PASTE = 100_000;

/** Delay between the leader key and the list of its keys, in ms. */
const STRIP_AFTER = 300;

/** A key press, an action chosen from a list, or a paste. */
type Asked = KeyPress | Found | {readonly pasted: string};

const find = (rules: KeyRules, scopes: readonly Scope[], name: string): Found | undefined => {
	for (const scope of scopes) {
		const binding = actionWith(rules, scope, name);
		if (binding) return {scope, binding};
	}
	return undefined;
};

const findOld = (rules: KeyRules, scopes: readonly Scope[], name: string): Found | undefined => {
	for (const scope of scopes) {
		const binding = actionThatHad(rules, scope, name);
		if (binding) return {scope, binding};
	}
	return undefined;
};

const startsChord = (rules: KeyRules, scopes: readonly Scope[], name: string): boolean =>
	scopes.some(scope => hasChord(rules, scope, name));

/**
 * True if the key is the first key of a chord. False if a scope above the chord's scope uses the
 * key alone.
 */
const isChordFirst = (
	rules: KeyRules,
	scopes: readonly Scope[],
	name: string,
	found: Found | undefined,
): boolean =>
	startsChord(rules, found === undefined ? scopes : scopes.slice(0, scopes.indexOf(found.scope)), name);

/** Maximum number of dialogs that Alt with a key closes to reach a screen where the key works. */
const MOST_STEPS = 5;

/**
 * Interprets Alt with a key. A terminal sends the same bytes for Alt with a key as for Esc followed
 * by that key in the same read. If no scope uses the key with Alt, the bytes are interpreted as Esc
 * and the key.
 * Text fields are an exception. Alt-r, for example, is a key of shells: in a field it must not
 * leave the field and run a cell again.
 */
const apart = (state: KeyRules & Parameters<typeof keyPath>[0], asked: KeyPress): readonly KeyPress[] => {
	const {name, steps = 0} = asked;
	const [, alone] = /^alt\+(.+)$/su.exec(name) ?? [];
	const {scopes, text} = keyPath(state);
	if (
		alone === undefined ||
		state.chord !== null ||
		find(state, scopes, name) ||
		startsChord(state, scopes, name)
	)
		return [asked];
	const esc: KeyPress = {name: 'esc', text: ''};
	if (state.dialogs.length > 0 && steps < MOST_STEPS && find(state, ['anywhere'], name))
		return [esc, {name, text: '', steps: steps + 1}];
	const isTyped = [...alone].length === 1 || alone === 'space';
	return text && isTyped
		? [asked]
		: [esc, {name: alone, text: isTyped && alone !== 'space' ? alone : alone === 'space' ? ' ' : ''}];
};

/** Keys that are replaced by another key unless a scope uses them. */
const MEANT: Readonly<Record<string, string>> = {
	// Enter pressed before the terminal was in raw mode arrives as a newline.
	'ctrl+j': 'enter',
	// Ctrl-C within half a second after Esc: tmux waits that long for the rest of a sequence, then
	// sends both keys as one.
	'ctrl+alt+c': 'ctrl+c',
};

/**
 * Dispatches the key presses of one input event. Each press runs a binding of the topmost scope
 * that has one; otherwise it is typed text.
 */
export const createDispatcher = (
	store: Store,
	{size, press: pressIn}: {readonly size: () => Size; readonly press: KeyContext['press']},
) => {
	const topOf = ({dialogs}: State): State['dialogs'][number] | undefined => dialogs.at(-1);
	/** The topmost dialog before the first key of this input event; null between events. */
	let turn: {readonly top: ReturnType<typeof topOf>} | null = null;
	const contextNow = (text?: string) =>
		contextOf({
			get: store.getState,
			...size(),
			act,
			press: pressIn,
			...(text !== undefined && {
				pressed: {text, isAhead: turn !== null && turn.top !== topOf(store.getState())},
			}),
		});
	const textIn = (scope: Scope): TextHandler | undefined => {
		const {typed} = keymap[scope];
		return typed && ((...text) => typed(contextNow(text[0]), ...text));
	};

	const run = ({binding}: Found, text?: string): void => {
		if (binding.action !== 'interrupt' && store.getState().quitting) route(store.getState).setQuitting(false);
		const before = store.getState().notice;
		const isBarred = binding.writes && store.getState().readOnly;
		const reason = isBarred
			? `This profile is read-only: ${binding.label} is not offered`
			: binding.run?.(contextNow(text));
		if (typeof reason === 'string') notices(store.getState).refuse(reason);
		else if (before?.isAnswer && store.getState().notice === before) notices(store.getState).dismissNotice();
	};

	/** Runs an action by one of its former keys, and shows a notice with the new key. */
	const runOld = (found: Found, old: string): void => {
		const [now = ''] = found.binding.keys;
		const state = store.getState();
		notices(store.getState).notify('info', `${keyHere(state, old)} is now ${keyHere(state, now)}`);
		run(found);
	};

	/**
	 * Waits for the next key of a chord. If the user hesitates after the leader, its keys are
	 * listed.
	 */
	const beginChord = (chord: string): void => {
		route(store.getState).setChord(chord);
		if (chord !== LEADER && !chord.startsWith(`${LEADER} `)) return;
		setTimeout(() => {
			if (store.getState().chord === chord) route(store.getState).showLeader();
		}, STRIP_AFTER).unref();
	};

	/** Handles the next key of a chord. */
	const pressInChord = (chord: string, name: string): void => {
		const state = store.getState();
		const {scopes} = keyPath(state);
		if (isCount(chord))
			return pressAfterCount(store.getState, {count: chord, name}, find(state, scopes, name), run);
		const keys = `${chord} ${name}`;
		const found = find(state, scopes, keys);
		if (!found && startsChord(state, scopes, keys)) return beginChord(keys);
		route(store.getState).setChord(null);
		if (found) return run(found);
		const old = findOld(state, scopes, keys);
		if (old) return runOld(old, keys);
		if (name !== 'esc') notices(store.getState).refuse(whyNotHere(state, keys));
	};

	const press = (name: string, text: string): void => {
		const state = store.getState();
		const {scopes, text: takesText} = keyPath(state);
		if (state.chord !== null) return pressInChord(state.chord, name);
		if (!(takesText && text !== '')) {
			const meant = MEANT[name];
			const found =
				find(state, scopes, name) ?? (meant === undefined ? undefined : find(state, scopes, meant));
			if (isChordFirst(state, scopes, name, found)) return beginChord(isLeader(name) ? LEADER : name);
			if (found) {
				run(found, text);
				return;
			}
			const [topmost] = scopes;
			if (
				state.hasCounts &&
				isCount(name) &&
				!takesText &&
				(topmost === undefined || textIn(topmost) === undefined)
			)
				return beginChord(name);
			const old = findOld(state, scopes, name);
			if (old) return runOld(old, name);
			if (takesText && name.startsWith('alt+'))
				notices(store.getState).refuse(`${keyText(name)} does nothing here`);
			// A letter without a binding in the dialog may start text for one of the dialog's
			// fields.
			const [top] = scopes;
			if (!takesText && text !== '' && top !== undefined) textIn(top)?.(text);
			return;
		}
		for (const scope of scopes) {
			const take = textIn(scope);
			if (take) {
				take(text);
				return;
			}
		}
	};

	const paste = (pasted: string): void => {
		const take = keyPath(store.getState())
			.scopes.map(textIn)
			.find(typed => typed !== undefined);
		if (take === undefined)
			return notices(store.getState).refuse('There is no text field here to paste into');
		if (pasted.length <= LONGEST_PASTE) return take(pasted, true);
		const most = LONGEST_PASTE.toLocaleString('en');
		notices(store.getState).refuse(
			`Nothing was pasted: a field takes ${most} characters at once. Put a longer text in a file.`,
		);
	};

	const act: KeyContext['act'] = (scope, action) => {
		const binding = bindingsOf(store.getState(), scope).find(each => each.action === action);
		if (binding) send([{scope, binding}]);
	};

	const firstList = createKeyHold<Asked>(store, asked => send(asked));
	const awaitsList = (asked: Asked): boolean => {
		const state = store.getState();
		const {scopes} = keyPath(state);
		if ('name' in asked && startsChord(state, scopes, asked.name)) return false;
		if (!('name' in asked)) return mustHoldKey(state, 'scope' in asked ? asked : undefined);
		const keys = state.chord === null ? asked.name : `${state.chord} ${asked.name}`;
		return mustHoldKey(state, find(state, scopes, keys) ?? findOld(state, scopes, keys));
	};

	/**
	 * True while a form is being submitted. Keys pressed now are held for the screen below, except
	 * Esc and Ctrl-C.
	 */
	const isSending = ({dialogs}: State = store.getState()): boolean => {
		const dialog = dialogs.at(-1);
		return dialog !== undefined && dialogSpec(dialog).isSending?.(dialog) === true;
	};
	/** State at the time of the last drawn frame. */
	let shown = store.getState();
	/**
	 * True for Esc or Ctrl-C if the user has seen that the form is being submitted. A key in the
	 * same burst as the submit key was pressed before, so it must not cancel the request.
	 */
	const takesBack = (asked: Asked): boolean =>
		'name' in asked && (asked.name === 'esc' || asked.name === 'ctrl+c') && isSending(shown);
	/**
	 * Keys held until the form has been submitted, and the number of open dialogs when the first
	 * one was held.
	 */
	let held: {readonly keys: Asked[]; readonly dialogs: number} | undefined;
	const hold = (keys: readonly Asked[]): void => {
		held ??= {keys: [], dialogs: store.getState().dialogs.length};
		held.keys.push(...keys);
	};
	const release = (): void => {
		if (held === undefined || isSending()) return;
		const {keys, dialogs} = held;
		held = undefined;
		// If an error keeps the form open, or another dialog has replaced it, the keys are dropped:
		// they were not meant for that dialog.
		if (store.getState().dialogs.length < dialogs) send(keys);
	};

	const send = (presses: readonly Asked[]): void => {
		if (turn === null) {
			turn = {top: topOf(store.getState())};
			setImmediate(() => (turn = null));
		}
		for (const [index, asked] of presses.entries()) {
			const rest = presses.slice(index);
			if (isSending() && !takesBack(asked)) return hold(rest);
			if (firstList.isOn()) return firstList.add(rest);
			if ([...('text' in asked ? asked.text : '')].length <= 1 && awaitsList(asked))
				return firstList.begin(rest);
			if ('scope' in asked) {
				run(asked);
				continue;
			}
			if ('pasted' in asked) {
				paste(asked.pasted);
				continue;
			}
			const parts = apart(store.getState(), asked);
			if (parts.length > 1) return send([...parts, ...rest.slice(1)]);
			const {name, text} = asked;
			// `jjj` in one burst is three keys in a list, but typed text in a field. The second key
			// of a chord is always handled alone.
			const characters = [...text];
			if (characters.length > 1 && (!keyPath(store.getState()).text || store.getState().chord !== null))
				return send([
					...characters.map(character => ({name: character === ' ' ? 'space' : character, text: character})),
					...rest.slice(1),
				]);
			press(name, text);
		}
	};

	const take = (asked: readonly Asked[]): void => {
		if (firstList.isOn()) {
			const leaves = asked.findLastIndex(
				each => 'name' in each && (each.name === 'esc' || each.name === 'ctrl+c'),
			);
			if (leaves < 0) return firstList.add(asked);
			firstList.drop('cancelled');
			return take(asked.slice(leaves + 1));
		}
		if (held !== undefined && !(isSending() && asked.some(takesBack))) return hold(asked);
		held = undefined;
		send(asked);
	};

	return {
		input: (input: string, key: Key) => take(pressesOf(input, key)),
		paste: (pasted: string) => take([{pasted}]),
		act,
		/**
		 * Subscribes to the first list of servers and to the end of forms. Returns a function that
		 * unsubscribes.
		 */
		watch() {
			const stops = [
				firstList.watch(),
				store.subscribe(state => {
					shown = state;
					// The form's other changes arrive later in the same turn of the event loop, so
					// the keys are sent after it.
					if (held !== undefined && !isSending()) setImmediate(release);
				}),
			];
			return () => {
				for (const stop of stops) stop();
			};
		},
	};
};
