// Composition root of the screens. Creates the store, connects it to a service, draws, and restores
// the terminal in any case.
import {flushCompileCache} from 'node:module';
import {render, type Instance} from 'ink';
import {copyText} from './clipboard.ts';
import {createJobControl} from './job-control.ts';
import {createProfileAccess} from './profile-access.ts';
import {createTerminalQueries} from './terminal-queries.ts';
import {createQuitting, handOverInTime} from './quitting.ts';
import {dimStyleFor} from './dim-style.ts';
import {needsAscii, screenOptions, type ScreenOptions} from './screen-options.ts';
import {createScreenPictures} from './screen-pictures.ts';
import {createScreenReader, READER_APPEARANCE} from './screen-reader/reader.ts';
import {createLocalService} from './own-local-service.ts';
import {createSession, type Session} from './session.ts';
import {readStartupSettings, type StartupSettings} from '../settings/startup-settings.ts';
import type {ServiceStorage} from '../storage/service-storage.ts';
import type {ServiceOptions} from '../settings/target.ts';
import type {Copied, Deps, EditedText, EditRequest} from '../tui/core/store/deps.ts';
import {openStartLocation} from '../tui/files/start-location.ts';
import {showText} from './show-text.ts';
import {CLEAR, SIGNALS, type ScreenTerminal} from './terminal.ts';
import {setCurrency} from '../text/money.ts';
import type {ColourDepth, PictureStyle} from '../text/output/picture.ts';
import {backgroundFromEnv} from '../text/terminal-background.ts';
import {mouseIn, type MouseEvent} from '../text/mouse.ts';
import {label} from '../text/safe.ts';
import {RootView} from '../tui/core/frame/root-view.tsx';
import {columnPinningOutput} from '../tui/core/frame/terminal-output.ts';
import {windowTitle} from '../tui/core/frame/window-title.ts';
import {KeysProvider} from '../tui/core/keys/keys.tsx';
import {nameKeys} from '../tui/core/keys/live-keys.ts';
import {fillOwnCommands, keysOfOwn, readUserCommands} from '../tui/core/keys/user-commands.ts';
import {readKeys, withDigits, withLeader} from '../tui/core/keys/rebind.ts';
import {keyPath} from '../tui/core/keys/scopes.ts';
import {filteredStdin} from '../tui/core/keys/stdin-filter.ts';
import {createBatchedStore} from '../tui/core/batched-store.ts';
import {currentAppearance, setAppearance} from '../tui/core/theme/theme.ts';
import {codeOf, messageOf} from '../text/errors.ts';
import {notices} from '../tui/core/store/notices.ts';
import {control} from '../tui/core/store/session.ts';

const BUG = 70;

/** Runs the screens. Before that, the boot file has prepared the terminal. */
export const runScreens = async (
	args: readonly string[],
	terminal: ScreenTerminal,
	keepCompiled: () => void,
): Promise<void> => {
	let asked: ScreenOptions;
	try {
		asked = screenOptions(args);
	} catch (error) {
		process.stdin.setRawMode(false);
		terminal.giveBack();
		process.stderr.write(`${label(messageOf(error), 400)}\nsvc-tui --help shows the options.\n`);
		process.exit(2);
	}
	const {service: options} = asked;
	const local = createLocalService();
	const jobs = createJobControl(terminal);
	const edit = async (request: EditRequest, keeper: ServiceStorage): Promise<EditedText> =>
		(await import('./external-editor.ts')).editText(request, keeper, {env: process.env, jobs, terminal});
	const copy = async (text: string): Promise<Copied> =>
		copyText(text, {env: process.env, write: bytes => void process.stdout.write(bytes)});
	const show = async (text: string): Promise<boolean> => showText(text, {env: process.env, jobs, terminal});
	const shell: Deps['shell'] = async (server, open) => {
		const {shellInstead} = await import('./shell.ts');
		return shellInstead({jobs, terminal}, server, open);
	};
	const signInToHost: Deps['signInToHost'] = async host =>
		(await import('./ssh-sign-in.ts')).signInToHost(host, {env: process.env, jobs, terminal});
	const drawn: {instance?: Instance} = {};
	let begun = false;
	let shown: Session['store'] | undefined;

	const newSession = (service: ServiceOptions, env: NodeJS.ProcessEnv, seen: StartupSettings): Session => {
		setCurrency(seen.facts.currency);
		const own = readUserCommands(seen.commands);
		fillOwnCommands(own);
		const {rebound: wanted, problems} = readKeys({...keysOfOwn(own), ...seen.keys});
		const rebound = withDigits(withLeader(wanted, seen.leader), seen.digits);
		nameKeys({rebound, readOnly: seen.facts.readOnly});
		const made = createSession({
			options: service,
			env,
			glance: seen,
			local,
			rebound,
			hasCounts: seen.digits === 'counts',
			ownCommands: new Map(own.map(({name, run}) => [name, run])),
			access,
			isComingBack: !asked.fresh,
			isSpoken: reader !== undefined,
			copy,
			show,
			shell,
			signInToHost,
			open: async (address, token) =>
				(await import('./open-address.ts')).openAddress(address, token, process.env),
			openPicture: async png => (await import('./open-picture.ts')).openPicture(png, process.env),
			openPage: async html => (await import('./open-page.ts')).openPage(html, process.env),
			edit,
			quit: () => void quit(),
			suspend: jobs.suspend,
			redraw: reader?.again ?? jobs.redraw,
			pictureStyle,
			...pictures.deps,
			keepTheme: async theme => (await import('../settings/profile-store.ts')).storeTheme(theme),
		});
		reader?.follow(made.store);
		shown = made.store;
		made.store.subscribe(state => {
			// Ignores a closed session, which may still receive responses.
			if (shown !== made.store) return;
			terminal.letWheel(!keyPath(state).text);
			terminal.setTitle(() => windowTitle(made.store.getState()));
		});
		for (const {entry, message} of problems) {
			import('../settings/profile-store.ts')
				.then(({settingLocation}) => settingLocation(entry))
				.then(place => notices(made.store.getState).notify('bad', `${place}: ${message}`))
				.catch(() => {});
		}
		return made;
	};
	const reader = terminal.isReadOut
		? createScreenReader(text => void process.stdout.write(text), {
				columns: () => process.stdout.columns,
				isAway: () => terminal.lent,
			})
		: undefined;
	const first = readStartupSettings(options);
	const pictureStyle: PictureStyle = {
		depth: process.stdout.getColorDepth() as ColourDepth,
		blocks: first.pictureBlocks,
	};
	const pictures = createScreenPictures({
		terminal,
		env: process.env,
		setting: first.pictures,
		ask: question => questions.ask(question),
		tell: pictureLook => session.store.setState({pictureLook}),
	});
	const access = createProfileAccess(
		name => {
			session.close();
			pictures.clear();
			// The address and key in the environment belong to another service.
			const env = name === null ? process.env : {...process.env, SVC_BASE_URL: '', SVC_API_KEY: ''};
			const service = name === null ? options : {profile: name};
			session = newSession(service, env, name === null ? first : readStartupSettings(service, env));
			drawn.instance?.rerender(screens());
			session.begin();
		},
		{options, glance: first},
	);
	const depth = process.stdout.getColorDepth();
	if (reader) setAppearance(READER_APPEARANCE);
	else
		setAppearance({
			theme: asked.theme ?? first.theme,
			depth,
			ground: backgroundFromEnv(process.env['COLORFGBG']),
			dimBy: dimStyleFor(process.env),
			own: first.colours,
			ascii: asked.ascii || (first.ascii ?? needsAscii(process.env)),
		});
	let session = newSession(options, process.env, first);
	const questions = createTerminalQueries(
		{
			name: process.env['TERM'],
			asks: [
				...(depth > 1 && !reader ? (['ground'] as const) : []),
				...(first.ascii === null && !currentAppearance().ascii && !reader ? (['isWide'] as const) : []),
			],
		},
		bytes => void process.stdout.write(bytes),
		({ground, isWide}) => {
			// The background counts as dark without a reply, except if dimmed text is grey.
			const before = currentAppearance().ground ?? (currentAppearance().dimBy === 'grey' ? null : 'dark');
			if (ground !== undefined && ground !== before) control(session.store.getState).changeLook({ground});
			if (!isWide) return;
			control(session.store.getState).changeLook({ascii: true});
			jobs.redraw();
		},
	);
	terminal.answered = questions.answered;
	if (first.mouse) terminal.takeMouse();
	const mouse: {take?: (event: MouseEvent) => void} = {};
	if (asked.place) openStartLocation(session.store, asked.place);

	const finish = (code: number, words = ''): void => {
		session.close();
		local.release();
		// Runs while the alternate screen is active, because the pictures belong to it. Once tmux
		// is about to redraw the main screen, it no longer passes sequences to the terminal.
		pictures.clear();
		try {
			drawn.instance?.unmount();
		} catch {
			// A drawing error is thrown again here. The terminal must be restored all the same.
		}
		reader?.end();
		terminal.giveBack(words);
		// Runs only now, because saving takes 25 ms, and would use 3 MB during the session.
		keepCompiled();
		process.exit(code);
	};
	const begin = (): void => {
		setImmediate(() => {
			session.begin();
			setTimeout(flushCompileCache, 250).unref();
			import('../machine/gc.ts').then(
				({collectWhenLarge}) => collectWhenLarge(),
				() => {},
			);
		});
	};
	let isLeaving = false;
	/**
	 * Ends the program, after handing waiting cells over to their kernels. A second signal does not
	 * wait for that.
	 */
	const leave = (code: number): void => {
		const handed = isLeaving ? null : handOverInTime(session.store.getState);
		isLeaving = true;
		if (handed === null) return finish(code);
		void handed.finally(() => finish(code));
	};
	terminal.onSignal = signal => {
		if (!terminal.lent) return leave(SIGNALS[signal]);
		// Ctrl-C is meant for the editor, but also reaches this process if the editor did not
		// change the terminal's mode.
		if (terminal.guest && signal === 'SIGINT') return;
		session.save();
		terminal.guest?.(signal);
		// Ends through the signal, not through `process.exit`: at exit Node sets the terminal's
		// modes, and would be stopped for this while the shell has the terminal.
		process.removeAllListeners(signal);
		process.kill(process.pid, signal);
	};
	// Ends the program even if the terminal is closed without a signal.
	process.stdin.once('end', () => leave(SIGNALS.SIGHUP));
	const bug = (error: unknown): void => {
		// The terminal was closed. Reading or writing may fail before SIGHUP arrives.
		if (codeOf(error) === 'EIO') finish(SIGNALS.SIGHUP);
		finish(BUG, `svc-tui hit an internal error: ${label(messageOf(error), 400)}\n`);
	};
	process.on('uncaughtException', bug);
	const quit = createQuitting({session: () => session, local, answered: questions.answered, finish});
	let sessions = 0;
	const screens = () => (
		<KeysProvider turn={createBatchedStore(session.store)} onMouse={take => void (mouse.take = take)}>
			<RootView key={sessions++} canLend={jobs.ready} />
		</KeysProvider>
	);
	drawn.instance = render(screens(), {
		stdin: filteredStdin(process.stdin, report => {
			questions.told(report);
			const event = first.mouse ? mouseIn(report) : null;
			if (event !== null) mouse.take?.(event);
			pictures.told(report);
		}),
		...(reader && {debug: true}),
		stdout:
			reader?.screen ??
			columnPinningOutput(process.stdout, {
				onKeys(isOn) {
					terminal.hasKittyKeys = isOn;
				},
				onScreen(isOn) {
					if (!isOn && terminal.isOnAlternate) process.stdout.write(CLEAR);
					terminal.isOnAlternate = isOn;
				},
				onWrite: pictures.wrote,
			}),
		alternateScreen: true,
		incrementalRendering: true,
		concurrent: true,
		interactive: true,
		maxFps: 200,
		exitOnCtrlC: false,
		patchConsole: false,
		// Enabled without a query, since a reply may take longer than the 200 ms that Ink waits.
		// Terminals without this protocol ignore it.
		kittyKeyboard: {mode: 'enabled', flags: ['disambiguateEscapeCodes', 'reportAlternateKeys']},
		isScreenReaderEnabled: false,
		onRender() {
			if (!begun) begin();
			begun = true;
		},
	});
	try {
		await drawn.instance.waitUntilExit();
	} catch (error) {
		bug(error);
	}
};
