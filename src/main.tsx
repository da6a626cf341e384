// Composition root of the screens: makes the store, connects it to a service, draws, and gives the terminal back whatever happens.
import {join} from 'node:path';
import {render, type Instance} from 'ink';
import {explainFailure} from './api/failure.ts';
import {createJobControl} from './job-control.ts';
import {screenOptions, type ScreenOptions} from './screen-options.ts';
import {createLocalService, createSession, type Session} from './session.ts';
import {glance, type Glance} from './settings/glance.ts';
import {paths} from './settings/paths.ts';
import type {ServiceOptions} from './settings/target.ts';
import {EMPTY_REPL, runningCell} from './store/cells.ts';
import type {EditedText, EditRequest, ProfileAccess} from './store/deps.ts';
import {rateOf} from './store/rentals.ts';
import {openPlace} from './store/place.ts';
import {isChanging} from './store/servers.ts';
import type {Store} from './store/store.ts';
import type {ScreenTerminal} from './terminal.ts';
import {SIGNALS} from './terminal.ts';
import {perHour, setCurrency} from './text/money.ts';
import type {ColourDepth} from './text/picture.ts';
import {label} from './text/safe.ts';
import {App} from './ui/app.tsx';
import {KeysProvider} from './ui/keys/keys.tsx';
import {readKeys} from './ui/keys/rebind.ts';
import {filteredStdin} from './ui/keys/stdin-filter.ts';
import {createKeyTurn} from './ui/key-turn.ts';
import {setLook} from './ui/theme/theme.ts';

const BUG = 70;

/** OSC 52: the terminal itself puts the text into the clipboard of the machine that it runs on. */
const toClipboard = (text: string): void => void process.stdout.write(`\u001B]52;c;${Buffer.from(text).toString('base64')}\u0007`);

/** How long quitting waits for a save. */
const LONGEST_SAVE_MS = 5000;

const NAMES_SHOWN = 10;

const namesOf = (servers: readonly {readonly name: string}[]): string => {
	const more = servers.length - NAMES_SHOWN;
	return `${servers.slice(0, NAMES_SHOWN).map(({name}) => label(name, 40)).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
};

/** What is worth knowing after the screen is gone; empty when nothing runs. */
const summary = (store: Store): string => {
	const {isLocal, repls, servers, saving, ...state} = store.getState();
	const unsaved = saving.map(path => `${label(path, 200)} was still being saved; what you wrote is kept, and :edits shows it at the next start.\n`).join('');
	const alive = (servers.value?.items ?? []).filter(server => server.status === 'ready' || isChanging(server.status));
	if (alive.length === 0) return unsaved;
	const names = namesOf(alive);
	const busy = alive.filter(({name}) => runningCell(repls.get(name) ?? EMPTY_REPL) !== undefined).map(({name}) => label(name, 40)).join(', ');
	if (isLocal) return `${unsaved}${busy === '' ? '' : `Code that was running on ${busy} was stopped.\n`}${names} ${alive.length === 1 ? 'ends' : 'end'} with the local service when its last program is gone; the files are kept.\n`;
	const ready = alive.filter(({status}) => status === 'ready');
	const rate = ready.reduce((sum, server) => sum + (rateOf(state, server) ?? 0), 0);
	const still = ready.length > 0 ? `Still ready: ${namesOf(ready)}${rate > 0 ? `, ${perHour(rate)}` : ''}` : '';
	const changing = ready.length < alive.length ? `Not ready yet: ${namesOf(alive.filter(({status}) => status !== 'ready'))}` : '';
	return `${unsaved}${[still, changing, busy === '' ? '' : `code may still be running on ${busy}`].filter(part => part !== '').join('; ')}\n`;
};

/** What the settings hold of profiles, and how one is signed in to. */
const createProfileAccess = (open: (name: string | null) => void, start: {readonly options: ServiceOptions; readonly glance: Glance}): ProfileAccess => {
	const byAddress = start.options.profile === undefined && start.glance.isByAddress;
	return {
		open,
		async list() {
			const {listProfiles} = await import('./settings/profile-store.ts');
			const profiles = listProfiles();
			const {facts: {serviceName}} = start.glance;
			return byAddress ? [{name: null, title: serviceName, host: 'named at the start', hasKey: true, readOnly: false}, ...profiles] : profiles;
		},
		async known(name) {
			const {knownProfile} = await import('./settings/profile-store.ts');
			return knownProfile(name);
		},
		keyFileOf: name => join(paths().config, 'keys', name),
		async signIn(request) {
			const [{signIn}, {createClient}] = await Promise.all([import('./settings/profile-store.ts'), import('./api/client.ts')]);
			const done = await signIn(request, async settings => {
				const reply = await createClient(settings).environments();
				return reply.ok ? null : explainFailure(reply.failure).what;
			});
			if ('fault' in done) return done.fault;
			open(done.profile);
		},
	};
};

/** The full-screen program. The boot file has taken the terminal. */
export const runScreens = async (args: readonly string[], terminal: ScreenTerminal): Promise<void> => {
	let asked: ScreenOptions;
	try {
		asked = screenOptions(args, process.env);
	} catch (error) {
		process.stdin.setRawMode(false);
		terminal.giveBack();
		process.stderr.write(`${label(error instanceof Error ? error.message : String(error), 400)}\nsvc-tui --help shows the options.\n`);
		process.exit(2);
	}
	const {service: options} = asked;
	const local = createLocalService();
	const jobs = createJobControl(terminal);
	const edit = async (request: EditRequest, service: string): Promise<EditedText> => (await import('./external-editor.ts')).editText(request, service, {env: process.env, jobs, terminal});
	const drawn: {instance?: Instance} = {};
	let begun = false;

	const newSession = (service: ServiceOptions, env: NodeJS.ProcessEnv, seen: Glance): Session => {
		setCurrency(seen.facts.currency);
		const {rebound, problems} = readKeys(seen.keys);
		const made = createSession({options: service, env, glance: seen, local, rebound, access, isComingBack: !asked.fresh, copy: toClipboard, open: async address => (await import('./open-address.ts')).openAddress(address, process.env), edit, colourDepth: process.stdout.getColorDepth() as ColourDepth});
		for (const {entry, message} of problems) {
			import('./settings/profile-store.ts').then(({placeOfKey}) => placeOfKey(entry)).then(place => made.store.getState().notify('bad', `${place}: ${entry}: ${message}`)).catch(() => {});
		}
		return made;
	};
	const first = glance(options);
	const access = createProfileAccess(name => {
		session.close();
		// What the environment says of a service belongs to the one that it names.
		const env = name === null ? process.env : {...process.env, SVC_BASE_URL: '', SVC_API_KEY: ''};
		const service = name === null ? options : {profile: name};
		session = newSession(service, env, name === null ? first : glance(service, env));
		drawn.instance?.rerender(screens());
		session.begin();
	}, {options, glance: first});
	setLook({theme: asked.theme ?? first.theme, depth: process.stdout.getColorDepth(), ascii: asked.ascii || first.ascii});
	let session = newSession(options, process.env, first);
	if (asked.place) openPlace(session.store, asked.place);

	const finish = (code: number, words = ''): void => {
		session.close();
		local.release();
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
			session.begin();
			import('node:module').then(({flushCompileCache}) => setTimeout(flushCompileCache, 250).unref(), () => {});
		});
	};
	terminal.onSignal = signal => {
		if (!terminal.lent) return finish(SIGNALS[signal]);
		// Ctrl-C in an editor that leaves the line as it is reaches the whole job, and is meant for the editor.
		if (terminal.guest && signal === 'SIGINT') return;
		session.save();
		terminal.guest?.(signal);
		// On its way out Node sets the terminal's modes, for which it would be stopped while the shell has it.
		process.removeAllListeners(signal);
		process.kill(process.pid, signal);
	};
	// A terminal may be closed without anybody sending a signal.
	process.stdin.once('end', () => finish(SIGNALS.SIGHUP));
	const bug = (error: unknown): void => {
		// A terminal that was closed: reading or writing may fail before its SIGHUP comes.
		if (error instanceof Error && 'code' in error && error.code === 'EIO') finish(SIGNALS.SIGHUP);
		finish(BUG, `svc-tui met an error of its own: ${label(error instanceof Error ? error.message : String(error), 400)}\n`);
	};
	process.on('uncaughtException', bug);
	let isLeaving = false;
	/** A save under way is waited for; one that fails keeps the program here, where it is told. */
	const quit = async (): Promise<void> => {
		const {saving, savesEnd, notify} = session.store.getState();
		if (saving.length > 0 && !isLeaving) {
			isLeaving = true;
			notify('info', `${saving.map(path => label(path, 60)).join(', ')} is still being saved: waiting for that, at most ${LONGEST_SAVE_MS / 1000} seconds. Again quits at once.`);
			const isSaved = await Promise.race([savesEnd(), new Promise<true>(resolve => setTimeout(() => resolve(true), LONGEST_SAVE_MS))]);
			isLeaving = false;
			if (!isSaved) return;
		}
		finish(0, summary(session.store));
	};
	const actions = {quit: () => void quit(), suspend: jobs.suspend, canLend: jobs.ready};
	let sessions = 0;
	const screens = () => (
		<KeysProvider turn={createKeyTurn(session.store)}>
			<App key={sessions++} actions={actions}/>
		</KeysProvider>
	);
	drawn.instance = render(
		screens(),
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
