import type {Scope, State} from '../program.ts';
import type {KeyContext} from '../feature.ts';
import {allPanes, isPane, screenSpec, workspaceInfo} from '../features.ts';
import {cellWidth, fit} from '../../../text/width/width.ts';
import {chordText} from '../../../text/key-name.ts';
import {dockAction, type Binding} from '../keys/binding-sets.ts';
import {actionWith, bindingsOf, keyOf, LEADER, offeredIn, searchedKey} from '../keys/live-keys.ts';
import {chordHere, leaderHere} from '../keys/leader.ts';
import {keymap} from '../keys/keymap.ts';
import {contextIn, type Size} from '../keys/key-context.ts';
import {keyPath} from '../keys/scopes.ts';
import {isAscii, paint} from '../theme/theme.ts';
import {layoutNow} from './layout.ts';
import {classOf} from './workspace-layout.ts';
import {isTypeahead} from '../keys/key-hold.ts';

const SHOWN: Readonly<Record<string, string>> = {
	up: '↑',
	down: '↓',
	left: '←',
	right: '→',
	enter: '⏎',
	pageup: 'PgUp',
	pagedown: 'PgDn',
	tab: 'Tab',
	space: 'Space',
	home: 'Home',
	end: 'End',
	backspace: 'Backspace',
	delete: 'Delete',
};

const SHOWN_ASCII: Readonly<Record<string, string>> = {
	up: 'Up',
	down: 'Down',
	left: 'Left',
	right: 'Right',
	enter: 'Enter',
};

const shownPress = (press: string): string => {
	const [, modifiers = '', name = press] = /^((?:(?:ctrl|alt|shift)\+)*)(.+)$/.exec(press) ?? [];
	const shown = (isAscii() ? SHOWN_ASCII[name] : undefined) ?? SHOWN[name] ?? name;
	const isControl = modifiers.includes('ctrl+') && name.length === 1;
	return modifiers
		.replace('ctrl+', isControl ? '^' : 'Ctrl-')
		.replace('alt+', 'Alt-')
		.replace('shift+', isAscii() ? 'S-' : '⇧')
		.concat(isControl ? shown.toUpperCase() : shown);
};

/** Caches of key names, for ASCII and Unicode, because the footer shows six at every key press. */
const shownKeys = {ascii: new Map<string, string>(), unicode: new Map<string, string>()};

/** Displayed name of a key: `^X m` for `ctrl+x m`. */
export const showKey = (name: string): string => {
	const known = shownKeys[isAscii() ? 'ascii' : 'unicode'];
	let shown = known.get(name);
	if (shown === undefined) {
		shown = chordText(name.split(' ').map(shownPress));
		known.set(name, shown);
	}
	return shown;
};

/** Current label of a key. Null if the footer leaves the key out. */
const labelOf = ({label, now}: Binding, at: KeyContext): string | null => {
	const found = now?.(at);
	return found === undefined ? label : found;
};

/**
 * Label of Esc. Null if Esc has no effect. Esc does the first of these that is possible: close a
 * dialog, stop running work, leave a text field, go back.
 */
const escMeans = (state: State, size: Size): string | null => {
	const {scopes} = keyPath(state);
	const [top = 'always'] = scopes;
	const stops =
		state.dialogs.length === 0 && top !== workspaceInfo()?.closedScope
			? screenSpec(state.screen).stops?.(state, state.current ?? '', top)
			: undefined;
	if (stops !== undefined) return stops;
	for (const scope of scopes) {
		const binding = bindingsOf(state, scope).find(each => each.keys.includes('esc'));
		if (binding) return labelOf(binding, contextIn(state, size));
	}
	return null;
};

/** A key of a scope that the footer offers, with its current effect. */
export type FooterHint = Binding & {readonly scope: Scope};

/** Hints of the footer in this state, the most useful first; as many are shown as fit. */
export const hintsOf = (state: State, size: Size): readonly FooterHint[] => {
	const {scopes} = keyPath(state);
	const at = contextIn(state, size);
	/** True if a scope above this one has the key. */
	const isTaken = (scope: Scope, [key = '']: readonly string[]): boolean =>
		scopes
			.slice(0, scopes.indexOf(scope))
			.some(above => bindingsOf(state, above).some(({keys}) => keys.includes(key)));
	return scopes
		.filter(scope => scope !== 'global' || !isTypeahead(state))
		.flatMap(scope =>
			offeredIn(state, scope).flatMap(each => {
				const isHint = each.hint && each.keys.length > 0 && !each.keys.includes('esc');
				const label = isHint && !isTaken(scope, each.keys) ? labelOf(each, at) : null;
				if (label === null) return [];
				const [start = ''] = each.keys[0]?.split(' ') ?? [];
				const chord = keymap[scope].chords?.[start];
				return chord === undefined
					? [{...each, label, scope}]
					: [{...each, keys: [start], label: chord, scope}];
			}),
		);
};

const hint = (key: string, label: string): string => `${paint('accent', key)} ${paint('dim', label)}`;

const GAP = '   ';
/** Maximum number of hints in the footer, without that of Esc. */
export const MOST_HINTS = 6;

/** The first hints that fit into the width, including a gap after the last. */
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

/** Current label of a key that shows or hides a pane. Undefined if the usual label applies. */
export const dockLabel = (state: State, action: string, {columns, rows}: Size): string | undefined => {
	const pane = allPanes().find(each => dockAction(each) === action);
	if (pane === undefined || !isPane(state.screen)) return undefined;
	const name = screenSpec(pane).pane?.name;
	if (pane === state.main) return screenSpec(pane).hasRail ? 'tree' : undefined;
	return layoutNow(state, columns, rows).panes.some(each => each.pane === pane)
		? `hide ${name}`
		: `show ${name}`;
};

/**
 * Hint on the key that moves to the next pane. If Tab first has another effect in the focused
 * field, the hint is on that effect.
 */
const nextPaneHint = (state: State): readonly string[] => {
	const [top] = keyPath(state).scopes;
	if (top === undefined || keymap[top].part === undefined) return [];
	const does = screenSpec(state.screen).tabDoes?.(state, state.current ?? '', top);
	if (does !== undefined) return does === null ? [] : [hint(showKey(does.key), does.label)];
	const key = keyOf(state, 'anywhere', 'nextPane');
	return key === '' ? [] : [hint(showKey(key), 'next pane')];
};

/** True for actions that have no effect at this width. */
const needsRoom = (action: string, columns: number): boolean =>
	classOf(columns) === 'narrow' && ['widenPane', 'narrowPane', 'resetPanes'].includes(action);

/** Possible second keys of a chord. */
const chordHints = (state: State, chord: string, size: Size): readonly string[] => [
	...new Set(
		keyPath(state).scopes.flatMap(scope =>
			offeredIn(state, scope)
				.filter(({action}) => !needsRoom(action, size.columns))
				.flatMap(({action, keys, label}) =>
					keys
						.map(searchedKey)
						.filter(key => key.startsWith(`${chord} `))
						.map(key => hint(showKey(key.slice(chord.length + 1)), dockLabel(state, action, size) ?? label)),
				),
		),
	),
];

/** Hint on the key that quits, if Esc has no effect because this is the first screen. */
const quitHint = (state: State): string => {
	const key = keyPath(state).scopes.includes('global') ? keyOf(state, 'global', 'quit') : '';
	return key === '' || state.dialogs.length > 0 || isTypeahead(state) ? '' : `${hint(showKey(key), 'quit')} `;
};

const spread = (left: string, right: string, width: number): string =>
	left + ' '.repeat(Math.max(1, width - cellWidth(left) - cellWidth(right))) + right;

/**
 * Footer line: current hints on the left, the effect of Esc on the right. The hint on `?` is never
 * left out.
 */
export const footerLine = (state: State, size: Size): string => {
	const width = size.columns;
	if (state.quitting) return ` ${hint('^C', 'again to quit')}   ${paint('dim', 'any other key continues')}`;
	const escLabel = state.chord === null ? escMeans(state, size) : 'cancel';
	const right = escLabel === null ? quitHint(state) : `${hint('esc', escLabel)} `;
	if (state.chord !== null && state.isLeaderShown) {
		const hasHelp = keyPath(state).scopes.some(scope => actionWith(state, scope, `${LEADER} ?`));
		return spread(` ${hasHelp ? hint('?', 'keys of this place') : ''}`, right, width);
	}
	if (state.chord !== null)
		return spread(
			` ${fitting([hint(chordHere(state, state.chord, showKey), '…'), ...chordHints(state, state.chord, size)], width - 1 - cellWidth(right))}`,
			right,
			width,
		);
	const dialog = state.dialogs.at(-1);
	const helpKey = dialog
		? ''
		: keyOf(state, keyPath(state).text || isTypeahead(state) ? 'anywhere' : 'global', 'help');
	const tail = helpKey === '' ? '' : hint(showKey(helpKey), 'help');
	const own = hintsOf(state, size)
		.filter(each => each.action !== 'help')
		.map(each => hint(showKey(each.keys[0] ?? ''), each.label));
	const others = [...own.slice(0, 3), ...nextPaneHint(state), ...own.slice(3)];
	const more = dialog ? '' : hint(showKey(leaderHere(state)), 'more');
	const kept = [more, tail].filter(each => each !== '');
	const parts = fitting(
		others.slice(0, MOST_HINTS - kept.length),
		kept.reduce((room, each) => room - cellWidth(each) - GAP.length, width - 1 - cellWidth(right)),
	);
	// Never an empty row: Ink drops one at the end of a screen.
	const left = [parts, ...kept].filter(each => each !== '').join(GAP);
	// The dialog's keys have no effect while its request is in progress.
	if (left + right === '') return fit(paint('dim', ' Waiting for the response.'), width);
	return spread(` ${left}`, right, width);
};
