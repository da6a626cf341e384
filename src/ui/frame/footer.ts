import {isAnswering} from '../../store/assistant.ts';
import {runningCell} from '../../store/cells.ts';
import {isPane} from '../../store/route.ts';
import type {State} from '../../store/store.ts';
import {cellWidth} from '../../text/width.ts';
import {keymap, type Binding} from '../keys/keymap.ts';
import {keyPath} from '../keys/scopes.ts';
import {paint} from '../theme/theme.ts';

const SHOWN: Readonly<Record<string, string>> = {
	up: '↑', down: '↓', left: '←', right: '→', enter: '⏎', pageup: 'PgUp', pagedown: 'PgDn', 'alt+enter': 'Alt-⏎', 'shift+tab': '⇧Tab', tab: 'Tab', space: 'Space',
};

/** A key as people know it: `ctrl+x m` is `^X m`. */
export const showKey = (name: string): string =>
	SHOWN[name] ?? name.replace(/ctrl\+(\w)/g, (_, letter: string) => `^${letter.toUpperCase()}`).replace(/alt\+/g, 'Alt-');

/** What the next Esc does: one rung of the ladder pop-up, running work, text field, back. */
export const escMeans = (state: State): string => {
	const {scopes} = keyPath(state);
	const [top] = scopes;
	const server = state.current ?? '';
	if (state.dialogs.length === 0 && top !== 'offline') {
		const cell = runningCell(state.repls.get(server) ?? {cells: []} as never);
		if (state.screen === 'repl' && cell) return cell.state === 'running' ? 'stop waiting for the cell' : state.isLocal ? 'interrupt the cell' : 'give the cell up';
		if (state.screen === 'assistant' && isAnswering(state.conversations.get(server)?.turns.at(-1))) return 'stop the answer';
	}
	for (const scope of scopes) {
		const binding = keymap[scope].find((each: Binding) => each.keys.includes('esc'));
		if (binding) return binding.action === 'back' ? (isPane(state.screen) ? 'back to the servers' : state.screen === 'servers' ? 'stays here' : 'back to the servers') : binding.label;
	}
	return 'nothing';
};

const hintsOf = (state: State): readonly Binding[] => {
	const {scopes} = keyPath(state);
	const bindings = scopes.flatMap(scope => keymap[scope].filter((each: Binding) => each.hint && !each.keys.includes('esc')));
	return bindings;
};

const hint = (key: string, label: string): string => `${paint('accent', key)} ${paint('dim', label)}`;

/** The footer line: live hints on the left, what Esc does on the right; `?` stays when others give way. */
export const footerLine = (state: State, width: number): string => {
	if (state.quitting) return ` ${hint('^C', 'again to quit')}   ${paint('dim', 'any other key goes on')}`;
	if (state.chord !== null) return ` ${hint(showKey(state.chord), '…')}   ${hint('c', 'assistant')}   ${hint('r', 'REPL')}   ${hint('f', 'files')}   ${hint('m', 'next model')}`;
	const right = `${hint('esc', escMeans(state))} `;
	const all = hintsOf(state);
	const typing = keyPath(state).text && state.dialogs.length === 0;
	const others = all.filter(each => each.action !== 'help');
	const parts: string[] = [];
	const tail = state.dialogs.length > 0 ? [] : [typing ? hint('^X ?', 'help') : hint('?', 'help')];
	let used = 1 + cellWidth(right) + tail.reduce((sum, each) => sum + cellWidth(each) + 3, 0);
	for (const each of others.slice(0, 5)) {
		const text = hint(showKey(each.keys[0] ?? ''), each.label);
		if (used + cellWidth(text) + 3 > width) break;
		parts.push(text);
		used += cellWidth(text) + 3;
	}
	const left = ` ${[...parts, ...tail].join('   ')}`;
	return left + ' '.repeat(Math.max(1, width - cellWidth(left) - cellWidth(right))) + right;
};
