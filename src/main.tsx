// Composition root of the screens: makes the store, connects it to a service, draws, and gives the terminal back whatever happens.
import {writeSync} from 'node:fs';
import {join} from 'node:path';
import {parseArgs} from 'node:util';
import {render, type Instance} from 'ink';
import type {Client} from './api/client-types.ts';
import {isChanging} from './store/servers.ts';
import {createStore, type Store} from './store/store.ts';
import {label} from './text/safe.ts';
import {App} from './ui/app.tsx';
import {ColourContext} from './ui/components/rows.tsx';
import {KeysProvider} from './ui/keys/keys.tsx';
import {onceATurn} from './ui/once-a-turn.ts';
import {StoreContext} from './ui/store-context.ts';

/** Autowrap on, bracketed paste off, cursor shown, main screen: whatever of it was on. */
const RESTORE = '\u001B[?7h\u001B[?2004l\u001B[?25h\u001B[?1049l';
const RESTARTS = 3;
const BUG = 70;
const SIGNALS = {SIGHUP: 129, SIGINT: 130, SIGTERM: 143} as const;

type Options = {readonly baseUrl?: string; readonly apiKeyFile?: string; readonly caFile?: string};

const optionsOf = (args: readonly string[]): Options => {
	const {values} = parseArgs({
		args: [...args],
		options: {'base-url': {type: 'string'}, 'api-key-file': {type: 'string'}, 'ca-file': {type: 'string'}},
	});
	return {
		...(values['base-url'] !== undefined && {baseUrl: values['base-url']}),
		...(values['api-key-file'] !== undefined && {apiKeyFile: values['api-key-file']}),
		...(values['ca-file'] !== undefined && {caFile: values['ca-file']}),
	};
};

/** Keeps the store connected: finds or starts the service, and starts it again when it stops by itself. */
const createConnection = (options: Options) => {
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
			if (service.kind === 'remote') {
				setService(new URL(service.baseUrl).host, false);
				resolve(createClient({...service, proxyEnv: process.env}));
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
				resolve(createClient(attached));
			}
			setConnection({status: 'ready'});
		} catch (error) {
			const what = error instanceof Error ? error.message : String(error);
			setConnection({status: 'failed', what, next: 'Press q to leave; svc-tui info shows the settings and where the logs are.'});
		}
	};
	return {client: () => client, connect, release: () => release?.()};
};

/** What is worth knowing after the screen is gone; empty when nothing runs. */
const summary = (store: Store): string => {
	const {servers, rates, isLocal} = store.getState();
	const alive = (servers.value?.items ?? []).filter(server => server.status === 'ready' || isChanging(server.status));
	if (alive.length === 0) return '';
	const names = alive.map(server => label(server.name, 40)).join(', ');
	if (isLocal) return `${names} ${alive.length === 1 ? 'ends' : 'end'} with the local service when its last program is gone; the files are kept.\n`;
	const rate = alive.reduce((sum, server) => sum + (rates.get(server.name) ?? 0), 0);
	return `Still ready: ${names}${rate > 0 ? `, ${rate.toFixed(2)} /h` : ''}\n`;
};

/** Stops the program as the shell's Ctrl-Z does; the whole job, since npm or a shell may stand between. `fg` draws everything again. */
const suspend = async (hold: () => Promise<{resume: () => Promise<void>}>): Promise<void> => {
	const held = await hold();
	// Without a timer Node would end on `fg`: nothing else keeps it alive while the terminal is given away.
	const alive = setInterval(() => {}, 60_000);
	process.once('SIGCONT', () => {
		clearInterval(alive);
		process.stdout.write('\u001B[?7l');
		void held.resume();
	});
	process.kill(0, 'SIGTSTP');
};

/** Gives the terminal back, then says some words. */
const giveBack = (words = ''): void => {
	try {
		writeSync(1, RESTORE + words);
	} catch {
		// The terminal is gone: there is nothing to restore and nobody to tell.
	}
};

/** The full-screen program. The boot file has made the terminal ready. */
export const runScreens = async (args: readonly string[]): Promise<void> => {
	process.on('exit', () => giveBack());
	let options: Options;
	try {
		options = optionsOf(args);
	} catch (error) {
		process.stdin.setRawMode(false);
		giveBack();
		process.stderr.write(`${error instanceof Error ? error.message : String(error)}\nsvc-tui --help shows the options.\n`);
		process.exit(2);
	}
	const connection = createConnection(options);
	const store = createStore({client: connection.client, now: Date.now});
	const ending = new AbortController();
	const drawn: {instance?: Instance} = {};

	const finish = (code: number, words = ''): void => {
		ending.abort();
		connection.release();
		try {
			drawn.instance?.unmount();
		} catch {
			// What failed while drawing fails again here; the terminal is given back all the same.
		}
		giveBack(words);
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
	for (const [signal, code] of Object.entries(SIGNALS)) process.on(signal, () => finish(code));
	const bug = (error: unknown): void => {
		// A terminal that was closed: reading or writing may fail before its SIGHUP comes.
		if (error instanceof Error && 'code' in error && error.code === 'EIO') finish(SIGNALS.SIGHUP);
		finish(BUG, `svc-tui met an error of its own: ${label(error instanceof Error ? error.message : String(error), 400)}\n`);
	};
	process.on('uncaughtException', bug);
	let begun = false;
	drawn.instance = render(
		<ColourContext value={process.env['FORCE_COLOR'] !== '0'}>
			<StoreContext value={onceATurn(store)}>
				<KeysProvider>
					<App actions={{quit: () => finish(0, summary(store)), suspend: hold => void suspend(hold)}}/>
				</KeysProvider>
			</StoreContext>
		</ColourContext>,
		{
			alternateScreen: true, incrementalRendering: true, concurrent: true, interactive: true, maxFps: 200,
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
