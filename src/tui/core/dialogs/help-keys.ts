// First view of the help: keys that every user needs, and a few keys of the user's screen.
import {isKeyAvailable} from '../../../text/key-name.ts';
import {cellWidth, fit} from '../../../text/width/width.ts';
import {showKey} from '../frame/footer.ts';
import {placeName} from '../keys/actions.ts';
import {leaderHere} from '../keys/leader.ts';
import {keyOf} from '../keys/live-keys.ts';
import {keyPath} from '../keys/scopes.ts';
import type {Scope, State} from '../program.ts';
import {paint} from '../theme/theme.ts';

type Shown = {readonly keys: string; readonly label: string};

/** First key of an action as shown; empty if the user removed all its keys. */
const shownKey = (state: State, scope: Scope, action: string): string => showKey(keyOf(state, scope, action));

/** Keys that have the same meaning on all screens, in two columns. */
const commonKeys = (state: State): readonly (readonly Shown[])[] => {
	const isTyping = keyPath({...state, dialogs: []}).text;
	const scope = isTyping ? 'anywhere' : 'global';
	const core = (label: string, action: string): Shown => ({keys: shownKey(state, scope, action), label});
	const [first, last] = [shownKey(state, scope, 'servers'), shownKey(state, scope, 'assistant')];
	const screens: Shown =
		cellWidth(first) === 1
			? {keys: `${first}–${last}`, label: 'screens'}
			: {keys: first, label: `screens, to ${last}`};
	const fixed = (label: string, ...keys: readonly string[]): Shown => ({
		keys: keys.map(showKey).join(' '),
		label,
	});
	const rents = isKeyAvailable('servers.create');
	return [
		[
			fixed('open, start, run', 'enter'),
			fixed('one step back', 'esc'),
			screens,
			{keys: shownKey(state, 'anywhere', 'nextPane'), label: 'next pane'},
			{keys: `${showKey('up')}${showKey('down')} jk`, label: 'move'},
			fixed('top, end', 'g', 'G'),
			fixed('next block', '[', ']'),
			fixed('next match', 'n', 'N'),
			fixed('details, or type', 'i'),
			core('whole screen', 'zoom'),
		],
		[
			fixed('find here', '/'),
			core('find anything', 'palette'),
			fixed('all that acts here', leaderHere({...state, dialogs: []})),
			core('command, line, range', 'commandLine'),
			fixed('copy', 'y'),
			fixed('edit', 'e'),
			fixed('run', 'r'),
			fixed('ask about this', '@'),
			fixed('mark', 'm'),
			...(rents ? [{keys: shownKey(state, 'servers', 'create'), label: 'rent a server'}] : []),
		],
	];
};

/**
 * Actions of a screen that a user needs next, with labels shorter than those of the key table.
 * Actions whose keys are in `commonKeys` are left out.
 */
export const SCREEN_KEYS: Readonly<Partial<Record<Scope, Readonly<Record<string, string>>>>> = {
	servers: {start: 'start', addresses: 'addresses', 'sortPrevious sortNext turnSort': 'sort', costs: 'costs'},
	compute: {
		'regions…': 'facets',
		group: 'group',
		compare: 'compare',
		watch: 'watch',
		'sortPrevious sortNext turnSort': 'sort',
		removeLast: 'undo',
	},
	environments: {'scrollUp scrollDown': 'scroll the description'},
	tree: {
		add: 'new file',
		fold: 'fold',
		path: 'path',
		hidden: 'hidden files',
		upload: 'upload',
		download: 'download',
	},
	viewer: {
		raw: 'raw',
		wrap: 'wrap',
		table: 'table',
		picture: 'picture',
		compare: 'differences',
		runAll: 'run all',
		path: 'path',
	},
	notebook: {
		'addAbove addBelow': 'add',
		remove: 'delete',
		'cut copyCell paste': 'cut, copy, paste',
		undo: 'undo',
		save: 'save',
		hide: 'outputs',
		stop: 'interrupt',
		restart: 'restart',
	},
	notebookEdit: {
		runNext: 'run',
		save: 'save',
		complete: 'complete',
		inspect: 'documentation',
		split: 'split',
		editor: 'editor',
	},
	repl: {
		newline: 'new line',
		search: 'earlier code',
		complete: 'complete',
		inspect: 'documentation',
		variables: 'variables',
		leave: 'read the cells',
	},
	cells: {
		fold: 'fold',
		explain: 'explain',
		copyOutput: 'copy the output',
		toNotebook: 'to the notebook',
		table: 'table',
		picture: 'picture',
		pager: 'in your editor',
	},
	assistant: {
		newline: 'new line',
		model: 'model',
		tray: 'attached',
		conversations: 'chats',
		compare: 'ask several',
		leave: 'read the answers',
	},
	turns: {
		writeBlock: 'write',
		putBlock: 'to the REPL',
		changeCell: 'differences',
		retry: 'ask again',
		compare: 'compare',
		raw: 'raw',
	},
	comparison: {'left right': 'other answers', thinking: 'thoughts'},
	offline: {start: 'start', tryAnyway: 'try anyway', save: 'write to a file'},
};

/**
 * Keys of the focused part of the screen. If a name in `SCREEN_KEYS` ends in `…`, its key is a
 * chord, of which only the first key is shown.
 */
const screenKeys = (state: State): {readonly place: string; readonly keys: readonly Shown[]} | null => {
	const {scopes} = keyPath({...state, dialogs: []});
	const scope = scopes.find(each => SCREEN_KEYS[each] !== undefined);
	if (scope === undefined) return null;
	const keys = Object.entries(SCREEN_KEYS[scope] ?? {}).flatMap(([names, label]): readonly Shown[] => {
		const actions = names.replace('…', '').split(' ');
		if (actions.some(action => !isKeyAvailable(`${scope}.${action}`))) return [];
		const all = actions.map(action => keyOf(state, scope, action)).filter(key => key !== '');
		const shown = all.map(key => showKey(names.endsWith('…') ? (key.split(' ')[0] ?? '') : key));
		return shown.length === 0 ? [] : [{keys: shown.join(' '), label}];
	});
	return {place: placeName(scope).replace(/,.*/, ''), keys};
};

const KEYS = 7;
/** Width of a column with room for the longest label. */
const COLUMN = 29;
const LONGEST = 27;
const GAP = 3;

const cell = ({keys, label}: Shown): string => `${paint('accent', fit(keys, KEYS))}${label}`;

/** Rows of keys after a head, as many in a row as fit. */
const packed = (head: string, keys: readonly Shown[], width: number): readonly string[] => {
	const rows: string[] = [];
	let row = paint('dim', head);
	for (const {keys: shown, label} of keys) {
		const next = `${paint('accent', shown)} ${label}`;
		if (cellWidth(row) + GAP + cellWidth(next) > width) {
			rows.push(row);
			row = ' '.repeat(cellWidth(head));
		}
		row += ' '.repeat(GAP) + next;
	}
	return [...rows, row];
};

/** Rows of the first view, without the row where typed text appears. */
export const helpRows = (state: State, width: number): readonly string[] => {
	const [left = [], right = []] = commonKeys(state);
	const column = Math.min(COLUMN, width - LONGEST);
	const here = screenKeys(state);
	return [
		...left.map((each, at) => {
			const other = right[at];
			return fit(cell(each), column) + (other === undefined ? '' : cell(other));
		}),
		'',
		...(here === null ? [] : [...packed(`On ${here.place}`, here.keys, width), '']),
	];
};
