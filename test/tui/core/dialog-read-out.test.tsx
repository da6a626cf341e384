import {PassThrough} from 'node:stream';
import {render} from 'ink';
import {expect, test} from 'vitest';
import {createScreenReader} from '../../../src/app/screen-reader/reader.ts';
import {RootView} from '../../../src/tui/core/frame/root-view.tsx';
import {createBatchedStore} from '../../../src/tui/core/batched-store.ts';
import {KeysProvider} from '../../../src/tui/core/keys/keys.tsx';
import {EMPTY_REPL} from '../../../src/tui/repl/transcript.ts';
import {cell, ready, server} from '../../support/factories.ts';
import {storeOn} from '../../support/store-on.ts';
import {route} from '../../../src/tui/core/store/route.ts';

const PANEL = ['╭─ Traceback of somebody else ─╮', '│ raise it │', '╰────────────────────────────────╯'];

test('a dialog is read out, not a frame that code printed above it', async () => {
	const store = storeOn('http://127.0.0.1:1');
	const outputs = [{output_type: 'stream', name: 'stdout', text: PANEL.join('\n')}];
	const result = {cell_type: 'code' as const, execution_count: 1, metadata: {}, source: '', outputs};
	store.setState({
		connection: {status: 'ready'},
		servers: ready([server({name: 's'})]),
		current: 's',
		screen: 'repl',
		repls: new Map([['s', {...EMPTY_REPL, cells: [cell({result})]}]]),
	});
	let said = '';
	const reader = createScreenReader(text => (said += text), {columns: () => 80, isAway: () => false});
	const input = Object.assign(new PassThrough(), {
		isTTY: true,
		setRawMode: () => input,
		ref() {},
		unref() {},
	});
	// Ink writes only the last frame by default if CI is set.
	const app = render(
		<KeysProvider turn={createBatchedStore(store)}>
			<RootView />
		</KeysProvider>,
		{
			stdin: input as never,
			stdout: reader.screen,
			patchConsole: false,
			exitOnCtrlC: false,
			interactive: true,
		},
	);
	reader.follow(store);
	await expect.poll(() => said).toContain('REPL of s.');
	route(store.getState).openDialog({
		kind: 'keep',
		names: ['s'],
		span: 1_800_000,
		stopCommand: 'svc-tui local stop',
		decide() {},
	});
	await expect.poll(() => said.slice(said.indexOf('REPL of s.'))).toMatch(/Keep kernel variables[^]*stay/);
	app.unmount();
	expect(said).not.toContain('Traceback of somebody else');
});
