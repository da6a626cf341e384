import type {Key} from 'ink';
import type {Store} from '../../store/store.ts';
import {pressesOf, type Press} from './key-names.ts';
import type {Binding} from './binding-sets.ts';
import type {Action, Scope} from './keymap.ts';
import {bindingsOf, type KeyRules} from './live-keys.ts';
import {keyPath} from './scopes.ts';

/** A handler answers a sentence when its key cannot act now; it is shown. */
export type Handlers<S extends Scope> = {readonly [A in Action<S>]: () => string | void};
export type TextHandler = (text: string) => void;

/** Who answers the keys of a scope now, and who takes its text. Screens put themselves in with `useKeys`. */
export type Registry = {
	readonly handlers: Map<Scope, Readonly<Record<string, () => string | void>>>;
	readonly text: Map<Scope, TextHandler>;
	/** Called when a screen has put itself in. */
	arrived: () => void;
	/** Does what a key of the table does, without the key: on its screen, as soon as that is drawn. */
	act: (scope: Scope, action: string) => void;
};

export const createRegistry = (): Registry => ({handlers: new Map(), text: new Map(), arrived() {}, act() {}});

/** How long keys are held for a screen that an earlier key of the same burst has opened, in ms. */
const HOLD = 500;

/** UTF-16 units of a paste that a field takes: each key after it lays the whole text out again. A longer text belongs in a file. */
const LONGEST_PASTE = 100_000;

type Found = {readonly scope: Scope; readonly binding: Binding};
/** A key press, or an action that was chosen from a list. */
type Asked = Press | Found;

const find = (rules: KeyRules, scopes: readonly Scope[], name: string): Found | undefined => {
	for (const scope of scopes) {
		const binding = bindingsOf(rules, scope).find(each => each.keys.includes(name));
		if (binding) return {scope, binding};
	}
	return undefined;
};

const startsChord = (rules: KeyRules, scopes: readonly Scope[], name: string): boolean =>
	scopes.some(scope => bindingsOf(rules, scope).some(({keys}) => keys.some(key => key.startsWith(`${name} `))));

/** Sends the presses of one input event where they belong: bindings from the topmost scope down, then typed text. */
export const createDispatcher = (store: Store, registry: Registry) => {
	const run = ({scope, binding}: Found): void => {
		if (binding.action !== 'interrupt' && store.getState().quitting) store.getState().setQuitting(false);
		const isBarred = binding.writes && store.getState().readOnly;
		const reason = isBarred ? `This profile is read-only: ${binding.label} is not offered` : registry.handlers.get(scope)?.[binding.action]?.();
		if (typeof reason === 'string') store.getState().notify('info', reason);
	};

	const press = (name: string, text: string): void => {
		const state = store.getState();
		const {scopes, text: takesText} = keyPath(state);
		if (state.chord !== null) {
			state.setChord(null);
			const chorded = find(state, scopes, `${state.chord} ${name}`);
			if (chorded) run(chorded);
			else if (name !== 'esc') state.notify('info', `${state.chord} ${name} does nothing here`);
			return;
		}
		if (!(takesText && text !== '')) {
			// Enter pressed before the terminal was in raw mode comes as a newline.
			const found = find(state, scopes, name) ?? (name === 'ctrl+j' ? find(state, scopes, 'enter') : undefined);
			if (found) {
				run(found);
				return;
			}
			if (startsChord(state, scopes, name)) state.setChord(name);
			return;
		}
		for (const scope of scopes) {
			const take = registry.text.get(scope);
			if (take) {
				take(text);
				return;
			}
		}
	};

	let held: Asked[] = [];
	let since = 0;
	const topmost = (): Scope => keyPath(store.getState()).scopes[0] ?? 'always';
	/** True when the topmost scope is on screen: a key that opens a dialog is followed by others before React has drawn it. */
	const isMounted = (): boolean => registry.handlers.has(topmost());

	const send = (presses: readonly Asked[]): void => {
		for (const [index, asked] of presses.entries()) {
			if (!('scope' in asked ? registry.handlers.has(asked.scope) : isMounted())) {
				if (held.length === 0) since = Date.now();
				held.push(...presses.slice(index));
				return;
			}
			if ('scope' in asked) {
				run(asked);
				continue;
			}
			const {name, text} = asked;
			// In a list, `jjj` in one burst is three keys; in a field it is one piece of text, but for the second key of a chord.
			const characters = [...text];
			if (characters.length > 1 && (!keyPath(store.getState()).text || store.getState().chord !== null)) {
				send([...characters.map(character => ({name: character === ' ' ? 'space' : character, text: character})), ...presses.slice(index + 1)]);
				return;
			}
			const {dialogCount} = store.getState();
			press(name, text);
			// What answers the scope of a dialog that was opened just now is the one closed before it.
			if (store.getState().dialogCount !== dialogCount) registry.handlers.delete(topmost());
		}
	};

	registry.arrived = () => {
		const [first] = held;
		if (first === undefined || !('scope' in first ? registry.handlers.has(first.scope) : isMounted())) return;
		const presses = Date.now() - since < HOLD ? held : [];
		held = [];
		send(presses);
	};

	registry.act = (scope, action) => {
		const binding = bindingsOf(store.getState(), scope).find(each => each.action === action);
		if (binding) send([{scope, binding}]);
	};

	return {
		input(input: string, key: Key): void {
			const presses = pressesOf(input, key);
			if (held.length > 0 && Date.now() - since < HOLD) {
				held.push(...presses);
				return;
			}
			held = [];
			send(presses);
		},
		paste(pasted: string): void {
			const {scopes} = keyPath(store.getState());
			for (const scope of scopes) {
				const take = registry.text.get(scope);
				if (take) {
					take(pasted.slice(0, LONGEST_PASTE).replace(/[\uD800-\uDBFF]$/, ''));
					if (pasted.length > LONGEST_PASTE) store.getState().notify('info', `The paste was too long: only its first ${LONGEST_PASTE.toLocaleString('en')} characters were taken`);
					return;
				}
			}
			store.getState().notify('info', 'There is no text field here to paste into');
		},
	};
};
