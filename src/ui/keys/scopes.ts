import type {Dialog} from '../../store/route.ts';
import {isPane} from '../../store/route.ts';
import {suggestionsIn} from '../../store/assistant-suggest.ts';
import {findServer} from '../../store/servers.ts';
import type {State} from '../../store/store.ts';
import type {Scope} from './keymap.ts';

const DIALOG_SCOPES = {
	create: 'form',
	history: 'chooser',
	places: 'chooser',
	export: 'chooser',
	explain: 'packet',
	tray: 'chooser',
	conversations: 'chooser',
	'find-turn': 'chooser',
	'delete-conversation': 'confirm',
	model: 'chooser',
	'compare-models': 'models',
	'write-path': 'chooser',
	price: 'told',
	server: 'reader',
	addresses: 'addresses',
	facet: 'picker',
	compare: 'table',
	changes: 'table',
	palette: 'chooser',
	'command-line': 'chooser',
	help: 'chooser',
	messages: 'chooser',
	requests: 'requests',
	profiles: 'chooser',
	'sign-in': 'signIn',
	'add-file': 'chooser',
	transfer: 'chooser',
	'go-to-path': 'chooser',
	'list-by-code': 'confirm',
	overwrite: 'overwrite',
	'write-file': 'writing',
	'kept-edits': 'chooser',
	'kept-edit': 'keptEdit',
	difference: 'reader',
} as const satisfies Record<Dialog['kind'], Scope>;

/** Scopes that take typed text. */
export const TEXT_SCOPES: ReadonlySet<Scope> = new Set([
	'repl',
	'assistant',
	'form',
	'filter',
	'find',
	'chooser',
	'signIn',
	'cellFind',
]);

const isDialogScope = (scope: Scope): boolean => scope === 'confirm' || scope === 'review' || scope === 'conflict' || (Object.values(DIALOG_SCOPES) as readonly Scope[]).includes(scope);

/** True when both scopes may be active at the same time. */
export const areTogether = (one: Scope, other: Scope): boolean => {
	if (one === other || one === 'always' || other === 'always') return true;
	if ([one, other].every(scope => scope === 'confirm' || scope === 'review')) return true;
	if (isDialogScope(one) || isDialogScope(other)) return false;
	if (one === 'anywhere' || other === 'anywhere') return true;
	return (one === 'global' && !TEXT_SCOPES.has(other)) || (other === 'global' && !TEXT_SCOPES.has(one));
};

/** The viewer's keys are others while words are typed behind its `/` or lines are being marked. */
const filesScope = ({paneFocus, viewers, current, filtering}: State): Scope => {
	if (paneFocus.files === 'tree') return filtering === 'files' ? 'filter' : 'tree';
	const viewer = viewers.get(current ?? '');
	if (viewer?.find?.typing) return 'find';
	return viewer?.mark ? 'marks' : 'viewer';
};

const paneScopes = (state: State): readonly Scope[] => {
	if (!isPane(state.screen)) return [state.filtering === state.screen ? 'filter' : state.screen];
	if (findServer(state, state.current)?.status !== 'ready') return ['offline'];
	if (state.screen === 'files') return [filesScope(state)];
	if (state.screen === 'repl') return [state.paneFocus.repl];
	if (state.conversations.get(state.current ?? '')?.comparison) return ['comparison'];
	if (state.paneFocus.assistant === 'turns') return ['turns'];
	return suggestionsIn(state, state.current ?? '') === null ? ['assistant'] : ['suggest', 'assistant'];
};

/** Where a key is looked for: the topmost scope first. It follows from what is on screen, so the footer can tell the same truth. */
export type KeyPath = {readonly scopes: readonly Scope[]; readonly text: boolean};

export const keyPath = (state: State): KeyPath => {
	const dialog = state.dialogs.at(-1);
	if (dialog) {
		if (dialog.kind === 'create' && dialog.form.at === 'review') return {scopes: ['confirm', 'review', 'always'], text: false};
		if (dialog.kind === 'kept-edit' && dialog.isDiscarding) return {scopes: ['confirm', 'always'], text: false};
		if (dialog.kind === 'write-file' && dialog.writing.stage === 'overwrite') return {scopes: ['confirm', 'always'], text: false};
		if (dialog.kind === 'write-file' && dialog.writing.stage === 'conflict') return {scopes: ['conflict', 'always'], text: false};
		const scope = DIALOG_SCOPES[dialog.kind];
		return {scopes: [scope, 'always'], text: TEXT_SCOPES.has(scope)};
	}
	const scopes = paneScopes(state);
	const text = scopes.some(scope => TEXT_SCOPES.has(scope));
	return {scopes: [...scopes, 'anywhere', ...(text ? [] : ['global' as const]), 'always'], text};
};
