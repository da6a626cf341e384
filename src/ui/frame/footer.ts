import {isAsking} from '../../store/assistant.ts';
import {EMPTY_REPL, runningCell} from '../../store/cells.ts';
import {isPane, type Pane} from '../../store/route.ts';
import type {State} from '../../store/store.ts';
import {cellWidth} from '../../text/width.ts';
import type {Binding} from '../keys/binding-sets.ts';
import type {Scope} from '../keys/keymap.ts';
import {bindingsOf, keyOf, offeredIn} from '../keys/live-keys.ts';
import {keyPath} from '../keys/scopes.ts';
import {isAscii, paint} from '../theme/theme.ts';
import {TWO_PANES, visiblePanes} from './layout.ts';

const SHOWN: Readonly<Record<string, string>> = {
	up: '↑', down: '↓', left: '←', right: '→', enter: '⏎', pageup: 'PgUp', pagedown: 'PgDn', 'alt+enter': 'Alt-⏎', 'shift+tab': '⇧Tab', tab: 'Tab', space: 'Space', home: 'Home', end: 'End', backspace: 'Backspace', delete: 'Delete',
};

const SHOWN_ASCII: Readonly<Record<string, string>> = {up: 'Up', down: 'Down', left: 'Left', right: 'Right', enter: 'Enter', 'alt+enter': 'Alt-Enter', 'shift+tab': 'S-Tab'};

/** A key as people know it: `ctrl+x m` is `^X m`. */
export const showKey = (name: string): string =>
	(isAscii() ? SHOWN_ASCII[name] : undefined) ?? SHOWN[name] ?? name.replace(/ctrl\+(\w)/g, (_, letter: string) => `^${letter.toUpperCase()}`).replace(/alt\+/g, 'Alt-');

/** What the next Esc does: one rung of the ladder pop-up, running work, text field, back. */
export const escMeans = (state: State): string => {
	const {scopes} = keyPath(state);
	const [top] = scopes;
	const server = state.current ?? '';
	if (state.dialogs.length === 0 && top !== 'offline' && top !== 'suggest') {
		const cell = runningCell(state.repls.get(server) ?? EMPTY_REPL);
		if (state.screen === 'repl' && cell) return cell.state === 'running' ? 'stop waiting for the cell' : state.isLocal ? 'interrupt the cell' : 'give the cell up';
		if (top === 'tree' && state.transfer?.server === server) return `stop the ${state.transfer.direction}`;
		if (state.screen === 'assistant' && isAsking(state.conversations.get(server))) return state.conversations.get(server)?.comparison ? 'stop the answers' : 'stop the answer';
	}
	for (const scope of scopes) {
		const binding = bindingsOf(state, scope).find(each => each.keys.includes('esc'));
		if (binding) return binding.action === 'back' ? (isPane(state.screen) ? 'back to the servers' : state.screen === 'servers' ? 'stays here' : 'back to the servers') : binding.label;
	}
	return 'nothing';
};

const hintsOf = (state: State): readonly Binding[] => {
	const {scopes} = keyPath(state);
	return scopes.flatMap(scope => offeredIn(state, scope).filter(each => each.hint && each.keys.length > 0 && !each.keys.includes('esc')));
};

const hint = (key: string, label: string): string => `${paint('accent', key)} ${paint('dim', label)}`;

const GAP = '   ';

/** The first of the hints that fit into the width, a gap after the last included. */
const fitting = (hints: readonly string[], width: number): string => {
	const parts: string[] = [];
	let used = 0;
	for (const each of hints) {
		used += cellWidth(each) + GAP.length;
		if (used > width) break;
		parts.push(each);
	}
	return parts.join(GAP);
};

const DOCKS: Readonly<Record<string, Pane>> = {dockAssistant: 'assistant', dockRepl: 'repl', dockFiles: 'files'};

/** A key that docks hides a pane that stands there. */
const dockLabel = (state: State, action: string, width: number): string | undefined => {
	const pane = Object.hasOwn(DOCKS, action) ? DOCKS[action] : undefined;
	return pane !== undefined && pane !== state.screen && visiblePanes(state, width).includes(pane) ? `hide ${pane === 'repl' ? 'REPL' : pane}` : undefined;
};

/** Parts of the panes in which Tab goes on to the next one. */
const TABBED: ReadonlySet<Scope> = new Set(['tree', 'viewer', 'repl', 'cells', 'assistant', 'turns']);

/** Where several panes stand side by side, the key from one to the next. */
const nextPaneHint = (state: State, width: number): readonly string[] => {
	const key = keyOf(state, 'anywhere', 'nextPane');
	const [top] = keyPath(state).scopes;
	return key !== '' && top !== undefined && TABBED.has(top) && visiblePanes(state, width).length > 1 ? [hint(showKey(key), 'next pane')] : [];
};

/** Of no use where there is no room for a second pane. */
const BESIDE: ReadonlySet<string> = new Set([...Object.keys(DOCKS), 'zoom']);

/** What may follow the first key of a chord. */
const chordHints = (state: State, chord: string, width: number): readonly string[] =>
	[...new Set(keyPath(state).scopes.flatMap(scope => offeredIn(state, scope).filter(({action}) => width >= TWO_PANES || !BESIDE.has(action)).flatMap(({action, keys, label}) =>
		keys.filter(key => key.startsWith(`${chord} `)).map(key => hint(showKey(key.slice(chord.length + 1)), dockLabel(state, action, width) ?? label)))))];

const spread = (left: string, right: string, width: number): string => left + ' '.repeat(Math.max(1, width - cellWidth(left) - cellWidth(right))) + right;

/** The footer line: live hints on the left, what Esc does on the right; `?` stays when others give way. */
export const footerLine = (state: State, width: number): string => {
	if (state.quitting) return ` ${hint('^C', 'again to quit')}   ${paint('dim', 'any other key goes on')}`;
	const right = `${hint('esc', state.chord === null ? escMeans(state) : 'cancel')} `;
	if (state.chord !== null) return spread(` ${fitting([hint(showKey(state.chord), '…'), ...chordHints(state, state.chord, width)], width - 1 - cellWidth(right))}`, right, width);
	const helpKey = state.dialogs.length > 0 ? '' : keyOf(state, keyPath(state).text ? 'anywhere' : 'global', 'help');
	const tail = helpKey === '' ? '' : hint(showKey(helpKey), 'help');
	const own = hintsOf(state).filter(each => each.action !== 'help').slice(0, 5).map(each => hint(showKey(each.keys[0] ?? ''), each.label));
	const others = [...own.slice(0, 3), ...nextPaneHint(state, width), ...own.slice(3)];
	const parts = fitting(others, width - 1 - cellWidth(right) - (tail === '' ? 0 : cellWidth(tail) + GAP.length));
	return spread(` ${[parts, tail].filter(each => each !== '').join(GAP)}`, right, width);
};
