import {PassThrough} from 'node:stream';
import {render} from 'ink';
import {expect} from 'vitest';
import {createStore} from '../../src/tui/create-store.ts';
import {RootView} from '../../src/tui/core/frame/root-view.tsx';
import {createBatchedStore} from '../../src/tui/core/batched-store.ts';
import {KeysProvider} from '../../src/tui/core/keys/keys.tsx';
import type {State} from '../../src/tui/core/program.ts';
import {shownText} from '../frames/draw.tsx';

const size = {columns: 120, rows: 30};
export const turn = async (): Promise<void> => new Promise(resolve => setImmediate(resolve));

/** Draws the screens in a terminal without a process. Their service never responds. */
export const openScreens = (state: Partial<State> = {}) => {
	const store = createStore({
		client: async () => new Promise(() => {}),
		now: () => 0,
		copy: async () => ({isInClipboard: false, isInTmux: false, isAsked: true}),
		show: async () => false,
		edit: async () => new Promise(() => {}),
		open: async () => false,
	});
	store.setState(state);
	let frame = '';
	let shown = {frame, text: ''};
	const screen = Object.assign(new PassThrough(), {...size, isTTY: true});
	screen.on('data', (chunk: Buffer) => {
		frame = chunk.toString('utf8');
	});
	const input = Object.assign(new PassThrough(), {
		isTTY: true,
		setRawMode: () => input,
		ref() {},
		unref() {},
	});
	const app = render(
		<KeysProvider turn={createBatchedStore(store)}>
			<RootView />
		</KeysProvider>,
		{stdin: input as never, stdout: screen as never, debug: true, patchConsole: false, exitOnCtrlC: false},
	);
	return {
		store,
		/** Text of one call arrives in a single read. */
		type: (text: string) => void input.write(text),
		/** Waits until the screen matches, and returns the screen. */
		async until(pattern: RegExp): Promise<string> {
			let text = '';
			await expect
				.poll(async () => {
					await turn();
					if (shown.frame !== frame) shown = {frame, text: await shownText(frame, size)};
					({text} = shown);
					return text;
				})
				.toMatch(pattern);
			return text;
		},
		close: () => app.unmount(),
	};
};
