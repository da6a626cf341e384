import type {Dialog, Scope, State} from '../program.ts';
import {dialogSpec, isClosed, screenSpec, workspaceInfo} from '../features.ts';
import {keymap} from './keymap.ts';

/** True if both scopes may be active at the same time. */
export const canOverlap = (one: Scope, other: Scope): boolean => {
	if (one === other || one === 'always' || other === 'always') return true;
	if ([one, other].every(scope => scope === 'confirm' || scope === 'review')) return true;
	const {isText: oneIsText, isDialog: oneIsDialog} = keymap[one];
	const {isText: otherIsText, isDialog: otherIsDialog} = keymap[other];
	if (oneIsDialog || otherIsDialog) return false;
	if ([one, other].some(scope => scope === 'anywhere' || scope === 'own')) return true;
	return (one === 'global' && !otherIsText) || (other === 'global' && !oneIsText);
};

const dialogScopes = (dialog: Dialog): readonly Scope[] => {
	const {scope} = dialogSpec(dialog);
	return typeof scope === 'function' ? scope(dialog) : [scope];
};

const closedScopes = (): readonly Scope[] | undefined => {
	const scope = workspaceInfo()?.closedScope;
	return scope && [scope];
};

const screenScopes = (state: State): readonly Scope[] =>
	(isClosed(state) ? closedScopes() : undefined) ??
	screenSpec(state.screen).scopes?.(state) ?? [
		state.filtering === state.screen ? 'filter' : (state.screen as Scope),
	];

/**
 * Scopes in which a key is looked up, topmost first. `text`: true if typed characters are text.
 * Derived from the state, so that the footer always lists the keys that work.
 */
export type KeyPath = {readonly scopes: readonly Scope[]; readonly text: boolean};

export const keyPath = (state: State): KeyPath => {
	const dialog = state.dialogs.at(-1);
	const scopes = dialog ? dialogScopes(dialog) : screenScopes(state);
	const text = scopes.some(scope => keymap[scope].isText);
	if (dialog) return {scopes: [...scopes, 'always'], text};
	const own = keymap.own.rows.length > 0 ? (['own'] as const) : [];
	return {scopes: [...scopes, ...own, 'anywhere', ...(text ? [] : ['global' as const]), 'always'], text};
};
