import {createEditor} from '../../text/editor.ts';
import {newForm} from '../../store/create-form.ts';
import {SCREENS, type Screen} from '../../store/route.ts';
import {EMPTY_TREE, knownPaths} from '../../store/files.ts';
import {findServer} from '../../store/servers.ts';
import type {State} from '../../store/store.ts';
import {label} from '../../text/safe.ts';
import {compareNamed} from '../screens/assistant/commands.ts';
import {parsePath} from './parse-path.ts';
import {askToStart} from '../screens/servers/ask-to-start.ts';

export type LineContext = {readonly get: () => State; readonly act: (scope: 'global' | 'anywhere', action: string) => void};

/** A command of the `:` line. */
export type LineCommand = {
	readonly name: string;
	/** Its argument as the list shows it; none when it takes none. `[X]` may be left out. */
	readonly argument?: string;
	readonly does: string;
	/** It changes something or spends money. */
	readonly writes?: true;
	/** What the argument may be. */
	readonly suggest?: (state: State) => readonly string[];
	/** A sentence says why it cannot be done. */
	readonly run: (context: LineContext, argument: string) => string | void;
};

const serverNames = (state: State): readonly string[] => (state.servers.value?.items ?? []).map(server => server.name);

const onServer = (run: (context: LineContext, server: string) => string | void) => (context: LineContext, argument: string): string | void => {
	const name = argument || context.get().current;
	if (name === null || name === '') return 'Name a server';
	return findServer(context.get(), name) ? run(context, name) : `There is no server ${label(name, 60)}`;
};

const SCREEN_WORDS: Readonly<Record<Screen, string>> = {
	servers: 'The servers', compute: 'The compute catalogue', environments: 'The environments', files: 'Files of the current server', repl: 'The REPL', assistant: 'The assistant',
};
const FILTERED: ReadonlySet<Screen> = new Set<Screen>(['servers', 'compute', 'environments']);

const toScreen = (screen: Screen): LineCommand => ({
	name: screen,
	does: SCREEN_WORDS[screen],
	...(FILTERED.has(screen) && {argument: '[filter]'}),
	run({get}, argument) {
		get().go(screen);
		if (argument === '') return;
		if (screen === 'servers' || screen === 'environments') get().changeList(screen, {filter: createEditor(argument)});
		if (screen !== 'compute') return;
		get().typeComputeQuery(createEditor(argument), false);
		return get().queryFault?.error;
	},
});

const does = (name: string, words: string, action: string, scope: 'global' | 'anywhere' = 'global'): LineCommand => ({name, does: words, run: ({act}) => act(scope, action)});

export const LINE_COMMANDS: readonly LineCommand[] = [
	...SCREENS.map(toScreen),
	{
		name: 'open', argument: 'server', does: 'Make a server the current one and show its files', suggest: serverNames,
		run: onServer(({get}, server) => {
			get().chooseServer(server);
			get().go('files');
		}),
	},
	{
		name: 'start', argument: '[server]', does: 'Start a server that is offline', writes: true, suggest: state => (state.servers.value?.items ?? []).filter(({status}) => status === 'offline').map(({name}) => name),
		run: onServer(({get}, server) => askToStart(get, findServer(get(), server))),
	},
	{
		name: 'create', argument: '[name]', does: 'The form for a new server', writes: true,
		run({get}, name) {
			get().openDialog({kind: 'create', form: newForm({name})});
		},
	},
	{
		name: 'addresses', argument: '[server]', does: 'Open or copy an address of a server', suggest: serverNames,
		run: onServer(({get}, server) => {
			get().openDialog({kind: 'addresses', server, at: 'url'});
		}),
	},
	{
		name: 'profile', argument: '[name]', does: 'Go on with another profile', suggest: state => (state.profiles ?? []).flatMap(({name}) => (name === null ? [] : [name])),
		run: ({get}, argument) => (argument === '' ? get().chooseProfile() : get().switchProfile(argument)),
	},
	{name: 'login', argument: '[profile]', does: 'Sign in to a service', run: ({get}, argument) => get().openSignIn(argument || undefined)},
	{
		name: 'export', argument: '[file]', does: 'Write the cells to a file: .ipynb, .py or .md',
		run({get}, path) {
			const server = get().current;
			if (server === null) return 'Choose a server first';
			if (path === '') get().openDialog({kind: 'export', server});
			else void get().exportSession(server, {path, place: 'here', withTurns: false});
		},
	},
	{
		name: 'compare', argument: '[models]', does: 'Ask several models what is in the assistant\'s field, and take one of the answers', suggest: state => state.models.map(({id}) => id),
		run({get}, argument) {
			const server = get().current;
			if (server === null) return 'Choose a server first';
			get().go('assistant');
			if (argument === '') return get().openDialog({kind: 'compare-models', server});
			return compareNamed(get, server, argument);
		},
	},
	{
		name: 'kernel', argument: 'name', does: 'The kernel that runs the cells of this server',
		run({get}, kernel) {
			const server = get().current;
			if (server === null) return 'Choose a server first';
			get().changeRepl(server, {kernel});
			return `The next cells of ${label(server, 60)} run in ${label(kernel, 60)}`;
		},
	},
	{
		name: 'file', argument: 'path[:line]', does: 'Open a file of the current server', suggest: state => knownPaths(state.files.get(state.current ?? '') ?? EMPTY_TREE),
		run({get}, argument) {
			const {current} = get();
			if (current === null) return 'Choose a server first';
			const {path, line} = parsePath(argument);
			get().focusPart('files', 'viewer');
			get().go('files');
			void get().goToPath(current, path, line);
		},
	},
	{
		name: 'edits', does: 'What was written in an editor and not saved',
		run({get}) {
			void get().showEdits().then(reason => typeof reason === 'string' && get().notify('info', reason));
		},
	},
	does('refresh', 'Ask the service again', 'refresh'),
	does('messages', 'What the program has said so far', 'messages', 'anywhere'),
	does('requests', 'Calls to the service: copy as curl, cancel', 'requests', 'anywhere'),
	does('zoom', 'This pane alone, or with the others', 'zoom'),
	does('help', 'Keys of this screen', 'help'),
	does('quit', 'Leave the program', 'quit'),
];

/** `120` stands for a line of the open file. */
export const isLineNumber = (word: string): boolean => /^[1-9]\d{0,8}$/.test(word);

export const goToLine = ({get}: Pick<LineContext, 'get'>, word: string): string | void => {
	const state = get();
	const viewer = state.viewers.get(state.current ?? '');
	if (state.current === null || viewer === undefined) return 'Open a file first: its lines are what a number goes to';
	state.goToLine(state.current, Number(word));
	state.focusPart('files', 'viewer');
	state.go('files');
};

/** A typed line: its command, and the rest as its argument. */
export const parseLine = (line: string): {readonly word: string; readonly argument: string; readonly hasArgument: boolean} => {
	const [, word = '', space = '', argument = ''] = /^\s*:?(\S*)(\s*)([^]*?)\s*$/.exec(line) ?? [];
	return {word, argument, hasArgument: space !== ''};
};
