// Composition root of the screens: makes the store, connects it to a service, draws, and gives the terminal back whatever happens.
import {join} from 'node:path';
import {parseArgs} from 'node:util';
import {render, type Instance} from 'ink';
import type {Client} from './api/client-types.ts';
import {createJobControl} from './job-control.ts';
import {EMPTY_REPL, runningCell} from './store/cells.ts';
import type {KeptDrafts} from './store/drafts.ts';
import {isChanging} from './store/servers.ts';
import {createStore, type Store} from './store/store.ts';
import type {ScreenTerminal} from './terminal.ts';
import {SIGNALS} from './terminal.ts';
import type {ColourDepth} from './text/picture.ts';
import {label} from './text/safe.ts';
import {App} from './ui/app.tsx';
import {ColourContext} from './ui/components/rows.tsx';
import {KeysProvider} from './ui/keys/keys.tsx';
import {filteredStdin} from './ui/keys/stdin-filter.ts';
import {createKeyTurn} from './ui/key-turn.ts';

const RESTARTS = 3;
const BUG = 70;

type Options = {readonly baseUrl?: string; readonly apiKeyFile?: string; readonly caFile?: string; readonly insecureHttp?: boolean};

const optionsOf = (args: readonly string[]): Options => {
	const {values} = parseArgs({
		args: [...args],
		options: {'base-url': {type: 'string'}, 'api-key-file': {type: 'string'}, 'ca-file': {type: 'string'}, 'insecure-http': {type: 'boolean'}},
	});
	return {
		...(values['base-url'] !== undefined && {baseUrl: values['base-url']}),
		...(values['api-key-file'] !== undefined && {apiKeyFile: values['api-key-file']}),
		...(values['ca-file'] !== undefined && {caFile: values['ca-file']}),
		...(values['insecure-http'] === true && {insecureHttp: true}),
	};
};

/** The base URL without what may differ for the same service. */
const serviceAddress = (baseUrl: string): string => {
	const {origin, pathname} = new URL(baseUrl);
	return origin + pathname.replace(/\/+$/, '');
};

/** Keeps the store connected: finds or starts the service, and starts it again when it stops by itself. */
const createConnection = (options: Options, onService: (store: Store, service: string) => void) => {
	let resolve: (client: Client) => void = () => {};
	let client = new Promise<Client>(settle => {
		resolve = settle;
	});
	let release: (() => void) | undefined;
	let restarts = 0;

	const connect = async (store: Store): Promise<void> => {
		const {setConnection, setService, notify} = store.getState();
		try {
			const [{chooseService}, {createClient}] = await Promise.all([import('./settings/target.ts'), import('./api/client.ts')]);
			const service = await chooseService(options);
			onService(store, service.kind === 'remote' ? serviceAddress(service.baseUrl) : 'local');
			if (service.kind === 'remote') {
				setService(new URL(service.baseUrl).host, false);
				resolve(createClient({...service, proxyEnv: process.env, watch: store.getState().watchCall}));
			} else {
				const [{attachLocal}, {localDataFolder}] = await Promise.all([import('./launch/attach-local.ts'), import('./settings/paths.ts')]);
				const attached = await attachLocal({
					dataFolder: localDataFolder(),
					program: [process.execPath, ...process.execArgv, join(import.meta.dirname, 'boot.js')],
					onEnd() {
						if (++restarts > RESTARTS) {
							setConnection({status: 'failed', what: 'The local service stopped again and again.', next: 'svc-tui info says where its log is.'});
							return;
						}
						notify('bad', 'The local service stopped; it is being started again. Names in the code are lost, files are kept.');
						setConnection({status: 'connecting', doing: 'starting the local service again'});
						client = new Promise<Client>(settle => {
							resolve = settle;
						});
						void connect(store).then(() => store.getState().refreshServers());
					},
				});
				release = attached.release;
				resolve(createClient({...attached, watch: store.getState().watchCall}));
			}
			setConnection({status: 'ready'});
		} catch (error) {
			const what = error instanceof Error ? error.message : String(error);
			setConnection({status: 'failed', what, next: 'Press q to leave; svc-tui info shows the settings and where the logs are.'});
		}
	};
	return {client: () => client, connect, release: () => release?.()};
};

/** OSC 52: the terminal itself puts the text into the clipboard of the machine that it runs on. */
const toClipboard = (text: string): void => void process.stdout.write(`\u001B]52;c;${Buffer.from(text).toString('base64')}\u0007`);

/** What is worth knowing after the screen is gone; empty when nothing runs. */
const summary = (store: Store): string => {
	const {servers, rates, isLocal, repls} = store.getState();
	const alive = (servers.value?.items ?? []).filter(server => server.status === 'ready' || isChanging(server.status));
	if (alive.length === 0) return '';
	const names = alive.map(server => label(server.name, 40)).join(', ');
	const busy = alive.filter(({name}) => runningCell(repls.get(name) ?? EMPTY_REPL) !== undefined).map(({name}) => label(name, 40)).join(', ');
	if (isLocal) return `${busy === '' ? '' : `Code that was running on ${busy} was stopped.\n`}${names} ${alive.length === 1 ? 'ends' : 'end'} with the local service when its last program is gone; the files are kept.\n`;
	const rate = alive.reduce((sum, server) => sum + (rates.get(server.name) ?? 0), 0);
	return `Still ready: ${names}${rate > 0 ? `, ${rate.toFixed(2)} /h` : ''}${busy === '' ? '' : `; code may still be running on ${busy}`}\n`;
};

/** Keeps what is typed for a service on disk, from when it is known which one that is. */
const createDrafts = () => {
	let isStarted = false;
	let drafts: KeptDrafts | undefined;
	const start = async (store: Store, service: string): Promise<void> => {
		if (isStarted) return;
		isStarted = true;
		try {
			const [{keepDrafts}, {openDraftFiles}, {paths}] = await Promise.all([import('./store/drafts.ts'), import('./settings/draft-files.ts'), import('./settings/paths.ts')]);
			drafts = keepDrafts(store, openDraftFiles(join(paths().state, 'drafts'), service));
		} catch (error) {
			store.getState().notify('bad', `What you type cannot be saved: ${error instanceof Error ? error.message : String(error)}`);
		}
	};
	return {start: (store: Store, service: string) => void start(store, service), save: () => drafts?.save()};
};

/** The full-screen program. The boot file has taken the terminal. */
export const runScreens = async (args: readonly string[], terminal: ScreenTerminal): Promise<void> => {
	let options: Options;
	try {
		options = optionsOf(args);
	} catch (error) {
		process.stdin.setRawMode(false);
		terminal.giveBack();
		process.stderr.write(`${error instanceof Error ? error.message : String(error)}\nsvc-tui --help shows the options.\n`);
		process.exit(2);
	}
	const drafts = createDrafts();
	const connection = createConnection(options, drafts.start);
	const store = createStore({client: connection.client, now: Date.now, copy: toClipboard});
	store.setState({colourDepth: process.stdout.getColorDepth() as ColourDepth});
	const ending = new AbortController();
	const drawn: {instance?: Instance} = {};

	const finish = (code: number, words = ''): void => {
		drafts.save();
		ending.abort();
		connection.release();
		try {
			drawn.instance?.unmount();
		} catch {
			// What failed while drawing fails again here; the terminal is given back all the same.
		}
		terminal.giveBack(words);
		process.exit(code);
	};
	const begin = (): void => {
		setImmediate(() => {
			void connection.connect(store);
			void store.getState().pollServers(ending.signal);
			void store.getState().refreshCompute();
			import('node:module').then(({flushCompileCache}) => setTimeout(flushCompileCache, 250).unref(), () => {});
		});
	};
	terminal.onSignal = signal => {
		if (!terminal.lent) return finish(SIGNALS[signal]);
		drafts.save();
		// On its way out Node sets the terminal's modes, for which it would be stopped while the shell has it.
		process.removeAllListeners(signal);
		process.kill(process.pid, signal);
	};
	// A terminal may be closed without anybody sending a signal.
	process.stdin.once('end', () => finish(SIGNALS.SIGHUP));
	const jobs = createJobControl(terminal);
	const bug = (error: unknown): void => {
		// A terminal that was closed: reading or writing may fail before its SIGHUP comes.
		if (error instanceof Error && 'code' in error && error.code === 'EIO') finish(SIGNALS.SIGHUP);
		finish(BUG, `svc-tui met an error of its own: ${label(error instanceof Error ? error.message : String(error), 400)}\n`);
	};
	process.on('uncaughtException', bug);
	let begun = false;
	drawn.instance = render(
		<ColourContext value={process.env['FORCE_COLOR'] !== '0'}>
			<KeysProvider turn={createKeyTurn(store)}>
				<App actions={{quit: () => finish(0, summary(store)), suspend: jobs.suspend, canLend: jobs.ready}}/>
			</KeysProvider>
		</ColourContext>,
		{
			stdin: filteredStdin(process.stdin), alternateScreen: true, incrementalRendering: true, concurrent: true, interactive: true, maxFps: 200,
			exitOnCtrlC: false, patchConsole: false, kittyKeyboard: {mode: 'auto'}, isScreenReaderEnabled: false,
			onRender() {
				if (!begun) begin();
				begun = true;
			},
		},
	);
	try {
		await drawn.instance.waitUntilExit();
	} catch (error) {
		bug(error);
	}
};
