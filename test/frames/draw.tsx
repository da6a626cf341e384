// Runs the real program with a simulated service, clock and terminal.
import {PassThrough} from 'node:stream';
import type {WriteStream} from 'node:tty';
import {UnicodeGraphemesAddon} from '@xterm/addon-unicode-graphemes';
import headless from '@xterm/headless';
import {render} from 'ink';
import type {Client} from '../../src/api/client-types.ts';
import {RootView} from '../../src/tui/core/frame/root-view.tsx';
import {followCursor} from '../../src/tui/core/frame/cursor.tsx';
import {columnPinningOutput} from '../../src/tui/core/frame/terminal-output.ts';
import {createBatchedStore} from '../../src/tui/core/batched-store.ts';
import {KeysProvider} from '../../src/tui/core/keys/keys.tsx';
import {createStore} from '../../src/tui/create-store.ts';
import type {Store} from '../../src/tui/core/program.ts';
import type {Scene, Size} from './scene.ts';
import {stopClock} from './stopped-clock.ts';

/** A frame is final after this number of turns of the event loop without a new one. */
const QUIET = 12;
const LONGEST_MS = 10_000;

const turn = async (): Promise<void> => new Promise(resolve => setImmediate(resolve));

/** A service with the scene's responses. Other calls never get a response. */
const stubClient = (named: Partial<Client>): Client =>
	new Proxy<Partial<Client>>(
		{live: async () => ({says: 'its address does not respond'}), ...named},
		{
			get: (target, name) =>
				name === 'then'
					? undefined
					: name === 'baseUrl'
						? 'https://nb.example/api'
						: (Reflect.get(target, name) ?? (() => new Promise(() => {}))),
		},
	) as Client;

/**
 * A scene on screen after all its frames: the last frame as Ink writes it, with colours, rows
 * joined by newlines.
 */
type Drawn = {
	readonly frame: string;
	readonly store: Store;
	readonly settled: () => Promise<void>;
	/** Types text that arrives in a single read, and returns the frame. */
	readonly press: (text: string) => Promise<string>;
	/** The frame a second later. */
	readonly tick: () => Promise<string>;
	/** The frame after a change of the terminal's size. */
	readonly resized: (size: Size) => Promise<string>;
	/** Column and row of the terminal's cursor, or null if it is hidden. */
	readonly cursor: () => {readonly x: number; readonly y: number} | null;
};

/**
 * `onCall` is called for each call that leaves the program. If `isDrawn` is false, only the state
 * is computed, which takes half of the time.
 */
type Ways = {readonly onCall?: () => void; readonly isDrawn?: boolean};

/** Calls `use` while a scene is on screen, or only in the store. */
export const withScene = async <T,>(
	scene: Scene,
	{columns, rows}: Size,
	use: (drawn: Drawn) => Promise<T> | T,
	{onCall = () => {}, isDrawn = true}: Ways = {},
): Promise<T> => {
	// Modules that the program loads late are loaded here in advance.
	await import('../../src/text/markdown/markdown.ts');
	using clock = stopClock();
	let frame = '';
	let cursor: {readonly x: number; readonly y: number} | null = null;
	let quiet = 0;
	const screen = Object.assign(new PassThrough(), {columns, rows, isTTY: true});
	screen.on('data', (chunk: Buffer) => {
		frame = chunk.toString('utf8');
		quiet = 0;
	});
	const input = Object.assign(new PassThrough(), {
		isTTY: true,
		setRawMode: () => input,
		ref() {},
		unref() {},
	});
	const client = stubClient(scene.service(clock));
	const store = createStore({
		client: async () => {
			onCall();
			return client;
		},
		now: clock.now,
		copy: async () => {
			onCall();
			return {isInClipboard: false, isInTmux: false, isAsked: true};
		},
		show: async () => (onCall(), false),
		open: async () => (onCall(), false),
		edit: async () => {
			onCall();
			throw new Error('There is no editor here');
		},
		...scene.deps,
	});
	const settled = async (): Promise<void> => {
		quiet = 0;
		for (const began = performance.now(); quiet < QUIET || scene.until?.(store.getState()) === false;) {
			if (performance.now() - began > LONGEST_MS)
				throw new Error(`${scene.screen} ${scene.state} does not come to rest`);
			quiet++;
			await turn();
		}
	};
	followCursor(at => {
		cursor = at;
	});
	await scene.arrive(store, clock);
	const draw = () =>
		render(
			<KeysProvider turn={createBatchedStore(store)}>
				<RootView />
			</KeysProvider>,
			{
				stdin: input as never,
				stdout: columnPinningOutput(screen as unknown as WriteStream, {}),
				debug: true,
				patchConsole: false,
				exitOnCtrlC: false,
			},
		);
	const app = isDrawn ? draw() : undefined;
	try {
		await settled();
		const resized = async (size: Size): Promise<string> => {
			Object.assign(screen, size).emit('resize');
			await settled();
			return frame;
		};
		const press = async (text: string): Promise<string> => {
			input.write(text);
			await settled();
			return frame;
		};
		const tick = async (): Promise<string> => {
			clock.tick();
			await settled();
			return frame;
		};
		return await use({frame, store, settled, press, tick, resized, cursor: () => cursor});
	} finally {
		app?.unmount();
		followCursor(() => {});
	}
};

/** The frame of a scene, colours included. */
export const drawScene = async (scene: Scene, size: Size): Promise<string> =>
	withScene(scene, size, ({frame}) => frame);

/** The rows of a frame as a terminal shows them, without trailing spaces. */
export const shownText = async (frame: string, {columns, rows}: Size): Promise<string> => {
	const terminal = new headless.Terminal({cols: columns, rows, allowProposedApi: true, convertEol: true});
	terminal.loadAddon(new UnicodeGraphemesAddon());
	await new Promise<void>(resolve => terminal.write(frame.replace(/\n$/, ''), resolve));
	const buffer = terminal.buffer.active;
	const text = Array.from({length: rows}, (_, row) =>
		(buffer.getLine(buffer.baseY + row)?.translateToString() ?? '').replace(/ +$/, ''),
	);
	terminal.dispose();
	return `${text.join('\n')}\n`;
};
