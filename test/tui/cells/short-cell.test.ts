// The time between Enter and the value of a short cell is short: the cell is sent before a frame is
// drawn, and its value appears without waiting for a frame.
import {expect, test} from 'vitest';
import type {LinkResult, Live, LiveChange, LiveOutcome} from '../../../src/api/client-types.ts';
import {createClient} from '../../../src/api/client.ts';
import type {ExecutedCell} from '../../../src/contract/cells.ts';
import {createBatchedStore} from '../../../src/tui/core/batched-store.ts';
import {createUpdates} from '../../../src/tui/cells/frame-pace.ts';
import {ready, server} from '../../support/factories.ts';
import {storeOn} from '../../support/store-on.ts';
import {
	neverShutDown,
	noShell,
	nothingLeft,
	plainCell,
	unaskedFiles,
	unaskedKernels,
	untold,
} from '../../support/unasked-link.ts';
import {waitFor} from '../../support/wait-for.ts';
import {seenWork} from '../../../src/tui/core/store/unseen-results.ts';
import {serverLinks} from '../../../src/tui/live/links.ts';
import {replSession} from '../../../src/tui/repl/session.ts';

/**
 * A store that records the screen at the time when the cell is sent. The test supplies the result.
 */
const openStore = () => {
	const end = Promise.withResolvers<LiveOutcome>();
	const sent: {drawn?: number; onChange?: LiveChange} = {};
	const outputs: ExecutedCell['outputs'] = [];
	let drawn = 0;
	const live: Live = {
		files: unaskedFiles,
		shell: noShell,
		shutDown: neverShutDown,
		load: untold,
		goOn: nothingLeft,
		kernels: unaskedKernels,
		async run(source, _, onChange) {
			sent.drawn = drawn;
			sent.onChange = onChange;
			return {
				...plainCell,
				ended: end.promise,
				now: () => ({cell_type: 'code', execution_count: 1, metadata: {}, source, outputs: [...outputs]}),
			};
		},
		evaluate: async () => ({end: {kind: 'none'}, life: null}),
		complete: async () => null,
		inspect: async () => null,
		close() {},
	};
	const store = storeOn('http://127.0.0.1:9', {
		client: async () => ({
			...createClient({baseUrl: 'http://127.0.0.1:9', apiKey: 'key'}),
			live: async (): Promise<LinkResult> => ({live}),
		}),
	});
	store.setState({servers: ready([server({token: 'one'})]), current: 'welcome', screen: 'repl'});
	seenWork(store.getState).showPane('welcome', 'repl');
	const turn = createBatchedStore(store);
	turn.store.subscribe(() => drawn++);
	return {store, turn, sent, outputs, end, drawn: () => drawn};
};

test('a short cell is sent before its prompt is drawn, and its value is drawn before its end is known', async () => {
	const {store, turn, sent, outputs, end, drawn} = openStore();
	serverLinks(store.getState).seekLink('welcome');
	await waitFor(() => expect(store.getState().links.get('welcome')?.kind).toBe('live'));
	const before = drawn();
	turn.during(() => replSession(store.getState).runCell('welcome', '1+1'));
	await waitFor(() => expect(sent.onChange).toBeDefined());
	expect(sent.drawn).toBe(before);
	// The cell has now been sent.
	await new Promise(setImmediate);
	outputs.push({output_type: 'execute_result', data: {'text/plain': '2'}, metadata: {}, execution_count: 1});
	sent.onChange?.('value');
	const cell = () => store.getState().repls.get('welcome')?.cells.at(-1);
	expect(cell()).toMatchObject({state: 'running', result: {outputs: [{output_type: 'execute_result'}]}});
	expect(cell()?.startedAt).not.toBeNull();
	end.resolve({kind: 'done'});
	await waitFor(() => expect(cell()).toMatchObject({state: 'done'}));
});

test('a value is reported at once; a second one within the frame, or an invisible one, is not', () => {
	const counted = (isShown: boolean) => {
		let told = 0;
		const updates = createUpdates(
			() => ({came: () => 10, drawn: () => 10}),
			() => told++,
			() => isShown,
		);
		return {changed: updates.changed, told: () => told};
	};
	const shown = counted(true);
	shown.changed();
	expect(shown.told()).toBe(0);
	shown.changed('value');
	expect(shown.told()).toBe(1);
	for (let more = 0; more < 1000; more++) shown.changed('value');
	expect(shown.told()).toBeLessThan(500);
	const hidden = counted(false);
	hidden.changed('value');
	expect(hidden.told()).toBe(0);
});
