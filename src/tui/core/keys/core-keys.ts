// Keys that belong to no room: those of everywhere, and of dialogs that several rooms have.
import type {Pane, Screen} from '../program.ts';
import {line, list, reading, type Binding, type KeyScope, type Tab} from './binding-sets.ts';

type Row<A extends string> = Binding & {readonly action: A};

const jumps = (tabs: readonly Tab[], modifier: string): readonly Row<Screen>[] =>
	tabs.map(({id, title, jump}) => ({action: id, keys: [modifier + jump], label: title}));

/** The action that puts a pane beside the others, or hides it. */
export type DockAction = `dock${Capitalize<Pane>}`;
export const dockAction = (pane: string): DockAction =>
	`dock${pane.slice(0, 1).toUpperCase()}${pane.slice(1)}` as DockAction;

const docks = (tabs: readonly Tab[]): readonly Row<DockAction>[] =>
	tabs
		.toReversed()
		.flatMap(({id, pane}) =>
			pane ? [{action: dockAction(id), keys: [pane.dock], label: `dock ${pane.name}`}] : [],
		);

export const coreKeys = (screens: readonly Tab[]) =>
	({
		/** Reach everything, also from inside a text field or a dialog. */
		always: {
			where: 'always',
			name: 'Always',
			rows: [
				{action: 'interrupt', keys: ['ctrl+c'], label: 'Cancel, or quit when pressed twice'},
				{action: 'redraw', keys: ['ctrl+l'], label: 'Redraw the screen'},
				{action: 'suspend', keys: ['ctrl+z'], label: 'Suspend to the shell; fg resumes'},
				{action: 'showCopied', keys: ['ctrl+x y'], label: 'show what was copied last'},
				{action: 'evidence', keys: ['ctrl+x !'], label: 'show the failed call and its answer'},
			],
		},
		/** From every screen and text field, not from a dialog. */
		anywhere: {
			where: 'also while typing',
			name: 'Anywhere, also while typing',
			rows: [
				...jumps(screens, 'alt+'),
				{action: 'nextPane', keys: ['tab'], label: 'Next pane'},
				{action: 'previousPane', keys: ['shift+tab'], label: 'Previous pane'},
				...docks(screens),
				{action: 'zoom', keys: ['ctrl+x z'], label: 'zoom the pane', also: 'full screen'},
				{action: 'widenPane', keys: ['ctrl+x >'], label: 'widen the pane', also: 'divider resize split'},
				{action: 'narrowPane', keys: ['ctrl+x <'], label: 'narrow the pane', also: 'divider resize split'},
				{action: 'palette', keys: ['ctrl+p'], label: 'all actions'},
				{action: 'commandLine', keys: ['ctrl+x :'], label: 'command'},
				{action: 'profiles', keys: ['ctrl+x p'], label: 'profiles', also: 'sign in login account API key'},
				{action: 'signIn', keys: ['ctrl+x l'], label: 'sign in'},
				{action: 'messages', keys: ['ctrl+x n'], label: 'messages', also: 'notices'},
				{action: 'requests', keys: ['ctrl+x q'], label: 'requests', also: 'log curl network'},
				{action: 'help', keys: ['ctrl+x ?', 'alt+?'], label: 'help', also: 'shortcuts'},
				{action: 'quit', keys: ['alt+q'], label: 'Quit', also: 'exit'},
			],
		},
		/** Commands of the user's own, which keys/own-commands.ts puts here. */
		own: {where: 'your commands, also while typing', name: 'Your commands', rows: [] as readonly Binding[]},
		/** Single letters: wherever no text is being typed. */
		global: {
			where: 'where no text is typed',
			name: 'Anywhere',
			rows: [
				...jumps(screens, ''),
				{action: 'palette', keys: ['ctrl+p'], label: 'all actions'},
				{action: 'commandLine', keys: [':'], label: 'command', hint: true},
				{action: 'zoom', keys: ['z'], label: 'zoom the pane', also: 'full screen'},
				{action: 'lastView', keys: ['-'], label: 'Previous screen'},
				{action: 'profiles', keys: ['0'], label: 'profiles', also: 'sign in login account API key'},
				{action: 'signIn', keys: ['ctrl+x l'], label: 'sign in'},
				{action: 'refresh', keys: ['R'], label: 'Refresh', also: 'reload update'},
				{action: 'evidence', keys: ['!'], label: 'Show the failed call and its answer'},
				{action: 'help', keys: ['?'], label: 'help', also: 'shortcuts', hint: true},
				{action: 'back', keys: ['esc'], label: 'Back'},
				{action: 'quit', keys: ['q'], label: 'Quit', also: 'exit'},
			],
		},
		/** The field behind `/` of a list. */
		filter: {
			where: 'a filter',
			name: 'Filter',
			isText: true,
			isPassing: true,
			rows: [
				{action: 'accept', keys: ['enter', 'tab'], label: 'to the list', hint: true},
				{action: 'up', keys: ['up'], label: 'Move up'},
				{action: 'down', keys: ['down'], label: 'Move down'},
				{action: 'pageUp', keys: ['pageup'], label: 'Page up'},
				{action: 'pageDown', keys: ['pagedown'], label: 'Page down'},
				...line,
				{action: 'leave', keys: ['esc'], label: 'close the filter'},
			],
		},
		confirm: {
			where: 'a question',
			isDialog: true,
			rows: [
				{action: 'yes', keys: ['y'], label: 'yes', hint: true},
				{action: 'no', keys: ['esc', 'n'], label: 'no', hint: true},
			],
		},
		/** A dialog that is only read. */
		reader: {
			where: 'details',
			isDialog: true,
			rows: [...reading, {action: 'close', keys: ['esc', 'q', 'i'], label: 'close'}],
		},
		told: {
			where: 'notice',
			isDialog: true,
			rows: [{action: 'close', keys: ['esc', 'enter'], label: 'close', hint: true}],
		},
		/** A field and the list of what fits it: palette, command line, help, messages. */
		chooser: {
			where: 'palette, command line, help',
			isText: true,
			isDialog: true,
			rows: [
				{action: 'accept', keys: ['enter'], label: 'choose', hint: true},
				{action: 'complete', keys: ['tab'], label: 'complete', hint: true},
				{action: 'up', keys: ['up', 'ctrl+p'], label: 'Move up'},
				{action: 'down', keys: ['down', 'ctrl+n'], label: 'Move down'},
				{action: 'pageUp', keys: ['pageup'], label: 'Page up'},
				{action: 'pageDown', keys: ['pagedown'], label: 'Page down'},
				...line,
				{action: 'close', keys: ['esc'], label: 'close'},
			],
		},
		/** What was asked and answered at an error. */
		evidence: {
			where: 'a failed call',
			isDialog: true,
			rows: [
				...reading,
				{action: 'copy', keys: ['c', 'y'], label: 'copy as curl', hint: true},
				{action: 'close', keys: ['esc', 'q'], label: 'close'},
			],
		},
		/** Calls to the service. */
		requests: {
			where: 'requests',
			isDialog: true,
			rows: [
				...list,
				{action: 'open', keys: ['enter', '!'], label: 'show the answer', hint: true},
				{action: 'copy', keys: ['c', 'y'], label: 'copy as curl', hint: true},
				{action: 'cancel', keys: ['x'], label: 'cancel the call', hint: true},
				{action: 'close', keys: ['esc', 'q'], label: 'close'},
			],
		},
	}) as const satisfies Record<string, KeyScope>;
