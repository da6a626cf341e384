// A live link that is found after cells have run through the service. Its kernel may be a different
// one.
import {replLink} from '../../../src/tui/repl/transcript.ts';
import {expect, test} from 'vitest';
import type {LinkResult, Live, LiveCell} from '../../../src/api/client-types.ts';
import {createClient} from '../../../src/api/client.ts';
import type {ExecutedCell} from '../../../src/contract/cells.ts';
import {LOCAL_PROFILE} from '../../../src/settings/profile.ts';
import type {Store} from '../../../src/tui/core/program.ts';
import {linkSentence} from '../../../src/tui/live/link-state.ts';
import {ready, server} from '../../support/factories.ts';
import {
	neverShutDown,
	noShell,
	nothingLeft,
	plainCell,
	unaskedFiles,
	unaskedKernels,
	untold,
} from '../../support/unasked-link.ts';
import {REPL, sessionOfNotebook, sessionOfRepl} from '../../support/sessions.ts';
import {storeOn} from '../../support/store-on.ts';
import {waitFor} from '../../support/wait-for.ts';
import {replSession} from '../../../src/tui/repl/session.ts';
import {serverLinks} from '../../../src/tui/live/links.ts';
import {serverShutdown} from '../../../src/tui/cells/kernels/shutdown.ts';
import {route} from '../../../src/tui/core/store/route.ts';
import {kernelRestart} from '../../../src/tui/cells/kernels/restart.ts';

const executed = (source: string): ExecutedCell => ({
	cell_type: 'code',
	execution_count: 1,
	metadata: {},
	source,
	outputs: [],
});

/**
 * A store with a server whose address responds once `state.isJobAlive` is set. Records the route of
 * each cell.
 */
const openStore = (isLocal: boolean) => {
	const ways: string[] = [];
	const state = {isThere: false, isSilent: false, isLost: false, at: 0, heard: ''};
	const isSilent = (kernel: string): boolean => state.isSilent && kernel !== state.heard;
	const live: Live = {
		files: unaskedFiles,
		shell: noShell,
		shutDown: neverShutDown,
		load: untold,
		goOn: nothingLeft,
		kernels: {...unaskedKernels, hears: async ({kernel}) => !isSilent(kernel)},
		async run(code, {kernel}) {
			if (!isSilent(kernel) && !state.isLost) ways.push(`link ${code}`);
			const cell: LiveCell = {
				ended: Promise.resolve(
					isSilent(kernel) ? {kind: 'unsent', isSilent: true} : {kind: state.isLost ? 'unsent' : 'done'},
				),
				now: () => executed(code),
				...plainCell,
			};
			return cell;
		},
		complete: async () => null,
		inspect: async () => null,
		evaluate: async () => ({end: {kind: 'none'}, life: null}),
		close: () => void ways.push('closed'),
	};
	const store = storeOn('http://127.0.0.1:9', {
		facts: {...LOCAL_PROFILE, isLocal},
		now: () => state.at,
		client: async () => ({
			...createClient({baseUrl: 'http://127.0.0.1:9', apiKey: 'key'}),
			live: async (): Promise<LinkResult> =>
				state.isThere ? {live} : {says: 'its address does not respond', mayPass: true},
			async runCode(_, {code}) {
				ways.push(`service ${code}`);
				return {ok: true, value: executed(code)};
			},
		}),
	});
	store.setState({servers: ready([server({token: 'one'})]), current: 'welcome'});
	return {store, state, ways};
};
const run = async (store: Store, code: string): Promise<void> => {
	replSession(store.getState).runCell('welcome', code);
	await waitFor(() =>
		expect(store.getState().repls.get('welcome')?.cells.at(-1)).toMatchObject({source: code, state: 'done'}),
	);
};
/** Runs a cell; after that, the address responds. */
const foundLate = async (isLocal: boolean) => {
	const opened = openStore(isLocal);
	const {store, state} = opened;
	serverLinks(store.getState).seekLink('welcome');
	await waitFor(() => expect(store.getState().links.get('welcome')?.kind).toBe('none'));
	await run(store, 'x = 41');
	state.isThere = true;
	state.at += 31_000;
	serverLinks(store.getState).seekLink('welcome');
	return opened;
};
const linkOf = (store: Store) => replLink(store.getState(), 'welcome');

test('on a third-party service cells go through the service until :live, and both give the reason', async () => {
	const {store, ways} = await foundLate(false);
	await waitFor(() => expect(linkOf(store)).toMatchObject({kind: 'none', isHeld: true}));
	expect(store.getState().notices.at(-1)?.text).toMatch(
		/is now reachable at its own address.*":live" switches$/,
	);
	expect(linkSentence('welcome', linkOf(store))).toMatch(
		/the kernel at the server's own address may be a different one$/,
	);
	await run(store, 'x + 1');
	expect(ways).toEqual(['service x = 41', 'service x + 1']);
	expect(serverLinks(store.getState).takeLink('welcome')).toContain('may be missing');
	expect(linkOf(store)).toEqual({kind: 'live'});
	expect(serverLinks(store.getState).takeLink('welcome')).toBeUndefined();
	await run(store, 'x + 2');
	expect(ways.at(-1)).toBe('link x + 2');
});

test('the link of the local service, which has the same kernel, is used', async () => {
	const {store, ways} = await foundLate(true);
	await waitFor(() => expect(linkOf(store)).toEqual({kind: 'live'}));
	await run(store, 'x + 1');
	expect(ways).toEqual(['service x = 41', 'link x + 1']);
});

test('the link of a restarted server is used: the earlier cells left nothing there', async () => {
	const {store, ways} = await foundLate(false);
	await waitFor(() => expect(linkOf(store)).toMatchObject({isHeld: true}));
	store.setState({servers: ready([server({status: 'offline', token: null})])});
	store.setState({servers: ready([server({token: 'two'})])});
	await run(store, 'y = 1');
	expect(ways.at(-1)).toBe('link y = 1');
	expect(linkOf(store)).toEqual({kind: 'live'});
});

test('a server on which nothing has run yet takes it', async () => {
	const {store, state, ways} = openStore(false);
	serverLinks(store.getState).seekLink('welcome');
	await waitFor(() => expect(linkOf(store)?.kind).toBe('none'));
	state.isThere = true;
	state.at += 31_000;
	serverLinks(store.getState).seekLink('welcome');
	await waitFor(() => expect(linkOf(store)).toEqual({kind: 'live'}));
	await run(store, 'x = 1');
	expect(ways).toEqual(['link x = 1']);
});

test('if the kernel is silent the cell goes through the service, with a notice, and later ones for a while', async () => {
	const {store, state, ways} = openStore(true);
	state.isThere = true;
	await run(store, 'a');
	expect(linkOf(store)).toEqual({kind: 'live'});
	state.isSilent = true;
	await run(store, 'b');
	expect(store.getState().notices.at(-1)?.text).toMatch(
		/The cell runs through the service; its output arrives at the end$/,
	);
	expect(linkOf(store)).toMatchObject({kind: 'none', says: expect.stringContaining('does not respond')});
	// The delay alone does not suffice: the kernel must respond too.
	state.at += 31_000;
	await run(store, 'c');
	expect(linkOf(store)).toMatchObject({kind: 'none', isThere: true});
	state.isSilent = false;
	state.at += 31_000;
	serverLinks(store.getState).seekLink('welcome');
	await waitFor(() => expect(linkOf(store)).toEqual({kind: 'live'}));
	await run(store, 'd');
	expect(ways).toEqual(['link a', 'service b', 'service c', 'link d']);
});

test.each([true, false])(
	'of several kernels only the silent one goes through the service (local service: %s)',
	async isLocal => {
		const {store, state, ways} = openStore(isLocal);
		const {getState: get} = store;
		state.isThere = true;
		state.isSilent = true;
		state.heard = 'other';
		await run(store, 'a');
		expect(linkOf(store)).toMatchObject({kind: 'none', isThere: true});
		expect(await serverLinks(get).linkOf('welcome', REPL)).toBeNull();
		expect(await serverLinks(get).linkOf('welcome', sessionOfNotebook('a.ipynb', 'other'))).not.toBeNull();
		replSession(get).changeRepl('welcome', {kernel: 'other'});
		expect(linkOf(store)?.kind).toBe('live');
		await run(store, 'b');
		await run(store, 'c');
		replSession(get).changeRepl('welcome', {kernel: 'python3'});
		await run(store, 'd');
		state.isSilent = false;
		state.at += 31_000;
		serverLinks(get).seekLink('welcome');
		await waitFor(() => expect(linkOf(store)).toMatchObject(isLocal ? {kind: 'live'} : {isHeld: true}));
		// The variables of this kernel may be lost; the other kernel is not affected.
		expect(await serverLinks(get).linkOf('welcome', sessionOfRepl('other'))).not.toBeNull();
		await run(store, 'e');
		expect(ways).toEqual(['service a', 'link b', 'link c', 'service d', isLocal ? 'link e' : 'service e']);
	},
);

test('choosing a kernel there uses the link again over which one kernel was silent', async () => {
	const {store, state, ways} = openStore(false);
	state.isThere = true;
	await run(store, 'a');
	state.isSilent = true;
	await run(store, 'b');
	state.isSilent = false;
	expect(serverLinks(store.getState).takeLink('welcome')).toMatch(
		/^New cells on welcome use its own address/,
	);
	expect(linkOf(store)).toEqual({kind: 'live'});
	await run(store, 'c');
	expect(ways).toEqual(['link a', 'service b', 'link c']);
});

test('the knowledge about a link ends with its server', async () => {
	const {store, state} = openStore(true);
	state.isThere = true;
	state.isSilent = true;
	await run(store, 'a');
	expect(linkOf(store)).toMatchObject({kind: 'none'});
	store.setState({servers: ready([server({name: 'welcome', status: 'offline'})])});
	expect(linkOf(store)).toBeUndefined();
	expect(
		serverLinks(store.getState).withAddress(
			'welcome',
			why => why,
			() => {},
		),
	).toBeUndefined();
});

test('on a service that is not ours the link waits for :live then', async () => {
	const {store, state, ways} = openStore(false);
	state.isThere = true;
	await run(store, 'a');
	state.isSilent = true;
	await run(store, 'b');
	state.isSilent = false;
	state.at += 31_000;
	await run(store, 'c');
	await waitFor(() => expect(linkOf(store)).toMatchObject({isHeld: true}));
	expect(serverLinks(store.getState).takeLink('welcome')).toBeDefined();
	await run(store, 'd');
	expect(ways).toEqual(['link a', 'service b', 'service c', 'link d']);
});

test.each([
	[true, {kind: 'live'}, 'link c'],
	[false, expect.objectContaining({isHeld: true}), 'service c'],
])(
	'a cell that could not be sent to the address (local service: %s) goes over the service',
	async (isLocal, then, last) => {
		const {store, state, ways} = openStore(isLocal);
		state.isThere = true;
		await run(store, 'a');
		state.isLost = true;
		await run(store, 'b');
		state.isLost = false;
		expect(linkOf(store)).toEqual(then);
		await run(store, 'c');
		expect(ways).toEqual(['link a', 'service b', last]);
	},
);

test('other requests than cells go to a working address, regardless of the route of cells', async () => {
	const {store, state} = openStore(false);
	const {getState: get} = store;
	state.isThere = true;
	await run(store, 'a');
	state.isSilent = true;
	await run(store, 'b');
	expect(await serverLinks(get).linkOf('welcome', REPL)).toBeNull();
	expect(await serverLinks(get).addressLink('welcome')).not.toBeNull();
	serverShutdown(get).askShutDown('welcome');
	await waitFor(() => expect(get().dialogs.at(-1)?.kind).toBe('shutdown'));
	route(get).closeDialog();
	// The program does not know in which kernel the service ran the code.
	kernelRestart(get).askRestart('welcome', {document: {kind: 'repl', kernel: 'python3'}});
	await waitFor(() => expect(get().dialogs.at(-1)?.kind).toBe('kernels'));
	expect(get().notices.at(-1)?.text).toMatch(/choose the kernel to restart$/);
});

test('a server whose token alone is another one keeps its link, and one at another address has a new one', async () => {
	const {store, state, ways} = openStore(false);
	state.isThere = true;
	const listed = (more: object): void =>
		store.setState({servers: ready([server({url: 'https://a.example/', ...more})])});
	listed({token: 'one'});
	serverLinks(store.getState).seekLink('welcome');
	await waitFor(() => expect(linkOf(store)).toEqual({kind: 'live'}));
	listed({token: 'two'});
	await run(store, 'x = 1');
	listed({token: null});
	await run(store, 'x = 2');
	expect(ways).toEqual(['link x = 1', 'link x = 2']);
	listed({token: 'two', url: 'https://b.example/'});
	await run(store, 'x = 3');
	expect(ways.slice(2)).toEqual(['closed', 'link x = 3']);
});
