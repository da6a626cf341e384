// Composition root of the screens: makes the store, connects it to a service, draws, and gives the terminal back whatever happens. Over 250 lines:
// what the store is given of this process and its terminal is put together here.
import {setTimeout as sleep} from 'node:timers/promises';
import {render, type Instance} from 'ink';
import {copyText} from './clipboard.ts';
import {createJobControl} from './job-control.ts';
import {createProfileAccess} from './profile-access.ts';
import {createQuestions} from './questions.ts';
import {needsAscii, screenOptions, type ScreenOptions} from './screen-options.ts';
import {createScreenReader, READER_LOOK} from './screen-reader/reader.ts';
import {createLocalService, createSession, type Session} from './session.ts';
import {glance, type Glance} from '../settings/glance.ts';
import type {Keeper} from '../state/keeper.ts';
import type {ServiceOptions} from '../settings/target.ts';
import type {Copied, Deps, EditedText, EditRequest, Overlay} from '../tui/core/store/deps.ts';
import {openPlace} from '../tui/files/open-place.ts';
import {summary, type Staying} from './summary.ts';
import type {ScreenOverlay} from './overlay.ts';
import type {PlacedPictures} from './placed-pictures.ts';
import type {ScreenTerminal} from './terminal.ts';
import {showText} from './show-text.ts';
import {CLEAR, SIGNALS} from './terminal.ts';
import {setCurrency} from '../text/money.ts';
import type {ColourDepth} from '../text/output/picture.ts';
import type {PictureLook} from '../text/pixels/choose.ts';
import {groundOfEnv} from '../text/ground.ts';
import {mouseIn, type MouseEvent} from '../text/mouse.ts';
import {label} from '../text/safe.ts';
import {App} from '../tui/core/frame/app.tsx';
import {columnKeeping} from '../tui/core/frame/terminal-output.ts';
import {windowTitle} from '../tui/core/frame/window-title.ts';
import {KeysProvider} from '../tui/core/keys/keys.tsx';
import {nameKeys} from '../tui/core/keys/live-keys.ts';
import {readKeys} from '../tui/core/keys/rebind.ts';
import {keyPath} from '../tui/core/keys/scopes.ts';
import {filteredStdin} from '../tui/core/keys/stdin-filter.ts';
import {createKeyTurn} from '../tui/core/key-turn.ts';
import {lookNow, setLook} from '../tui/core/theme/theme.ts';
import {messageOf} from '../text/errors.ts';
import {codeOf} from '../text/errors.ts';

const BUG = 70;

/** How long quitting waits for a save. */
const LONGEST_SAVE_MS = 5000;
/** How long quitting waits for the journal of cells, which is a few milliseconds behind the screen. */
const LONGEST_JOURNAL_MS = 1000;

/** The full-screen program. The boot file has taken the terminal. */
export const runScreens = async (args: readonly string[], terminal: ScreenTerminal): Promise<void> => {
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
	const edit = async (request: EditRequest, keeper: Keeper): Promise<EditedText> =>
		(await import('./external-editor.ts')).editText(request, keeper, {env: process.env, jobs, terminal});
	const copy = async (text: string): Promise<Copied> =>
		copyText(text, {env: process.env, write: bytes => void process.stdout.write(bytes)});
	const show = async (text: string): Promise<boolean> => showText(text, {env: process.env, jobs, terminal});
	const shell: Deps['shell'] = async (server, open) => {
		const {shellInstead} = await import('./shell.ts');
		return shellInstead({jobs, terminal}, server, open);
	};
	const pictures: {look?: PictureLook; told?: (report: string) => void; isAsked?: true} = {};
	const tellLook = (look: PictureLook): void => {
		pictures.look = look;
		session.store.setState({pictureLook: look});
	};
	const askPictures = (tell: (look: PictureLook) => void): void => {
		// Nobody sees them.
		if (terminal.isReadOut) return;
		if (pictures.look) tell(pictures.look);
		// Another program has the terminal: the next picture asks again.
		if (pictures.isAsked || terminal.lent) return;
		pictures.isAsked = true;
		const write = (bytes: string): void => void process.stdout.write(bytes);
		const {ask} = questions;
		const here = {
			setting: first.pictures,
			depth: process.stdout.getColorDepth(),
			env: process.env,
			write,
			ask,
		};
		void import('./ask-pictures.ts').then(async asking => {
			pictures.told = await asking.askPictures(here, tellLook);
		});
	};
	const over: {screen?: ScreenOverlay} = {};
	const showOverlay = (overlay: Overlay | null): void => {
		if (terminal.isReadOut) return;
		if (over.screen) return over.screen.show(overlay);
		if (overlay === null) return;
		void import('./overlay.ts').then(({createOverlay}) => {
			over.screen ??= createOverlay(
				bytes => void process.stdout.write(bytes),
				() => terminal.lent,
			);
			over.screen.show(overlay);
		});
	};
	const placed: {pictures?: PlacedPictures} = {};
	const placePicture: Deps['placePicture'] = async (base64, cells, gone) => {
		const {createPlacedPictures} = await import('./placed-pictures.ts');
		placed.pictures ??= createPlacedPictures(
			bytes => void process.stdout.write(bytes),
			() => terminal.lent,
			{isInTmux: Boolean(process.env['TMUX']), pane: Number(process.env['TMUX_PANE']?.slice(1) ?? 0)},
		);
		return placed.pictures.place(base64, cells, gone);
	};
	const drawn: {instance?: Instance} = {};
	let begun = false;
	let shown: Session['store'] | undefined;

	const newSession = (service: ServiceOptions, env: NodeJS.ProcessEnv, seen: Glance): Session => {
		setCurrency(seen.facts.currency);
		const {rebound, problems} = readKeys(seen.keys);
		nameKeys({rebound, readOnly: seen.facts.readOnly});
		const made = createSession({
			options: service,
			env,
			glance: seen,
			local,
			rebound,
			access,
			isComingBack: !asked.fresh,
			copy,
			show,
			shell,
			open: async (address, token) =>
				(await import('./open-address.ts')).openAddress(address, token, process.env),
			openPicture: async png => (await import('./open-picture.ts')).openPicture(png, process.env),
			edit,
			quit: () => void quit(),
			suspend: jobs.suspend,
			redraw: reader?.again ?? jobs.redraw,
			colourDepth: process.stdout.getColorDepth() as ColourDepth,
			askPictures,
			keepTheme: async theme => (await import('../settings/profile-store.ts')).storeTheme(theme),
			showOverlay,
			placePicture,
			dropPicture: id => placed.pictures?.drop(id),
		});
		reader?.follow(made.store);
		shown = made.store;
		made.store.subscribe(state => {
			// One that has closed may still hear of what it asked.
			if (shown !== made.store) return;
			terminal.letWheel(!keyPath(state).text);
			terminal.setTitle(windowTitle(state));
		});
		for (const {entry, message} of problems) {
			import('../settings/profile-store.ts')
				.then(({placeOfKey}) => placeOfKey(entry))
				.then(place => made.store.getState().notify('bad', `${place}: ${entry}: ${message}`))
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
	const first = glance(options);
	const access = createProfileAccess(
		name => {
			session.close();
			placed.pictures?.clear();
			// What the environment says of a service belongs to the one that it names.
			const env = name === null ? process.env : {...process.env, SVC_BASE_URL: '', SVC_API_KEY: ''};
			const service = name === null ? options : {profile: name};
			session = newSession(service, env, name === null ? first : glance(service, env));
			drawn.instance?.rerender(screens());
			session.begin();
		},
		{options, glance: first},
	);
	const depth = process.stdout.getColorDepth();
	if (reader) setLook(READER_LOOK);
	else
		setLook({
			theme: asked.theme ?? first.theme,
			depth,
			ground: groundOfEnv(process.env['COLORFGBG']),
			own: first.colours,
			ascii: asked.ascii || (first.ascii ?? needsAscii(process.env)),
		});
	let session = newSession(options, process.env, first);
	const questions = createQuestions(
		{
			name: process.env['TERM'],
			asks: [
				...(depth > 1 && !reader ? (['ground'] as const) : []),
				...(first.ascii === null && !lookNow().ascii && !reader ? (['isWide'] as const) : []),
			],
		},
		bytes => void process.stdout.write(bytes),
		({ground, isWide}) => {
			const {changeLook} = session.store.getState();
			// Without an answer it is taken as dark.
			if (ground !== undefined && ground !== (lookNow().ground ?? 'dark')) changeLook({ground});
			if (!isWide) return;
			changeLook({ascii: true});
			jobs.redraw();
		},
	);
	terminal.answered = questions.answered;
	if (first.mouse) terminal.takeMouse();
	const mouse: {take?: (event: MouseEvent) => void} = {};
	if (asked.place) openPlace(session.store, asked.place);

	const finish = (code: number, words = ''): void => {
		session.close();
		local.release();
		try {
			drawn.instance?.unmount();
		} catch {
			// What failed while drawing fails again here; the terminal is given back all the same.
		}
		placed.pictures?.clear();
		reader?.end();
		terminal.giveBack(words);
		process.exit(code);
	};
	const begin = (): void => {
		setImmediate(() => {
			session.begin();
			import('node:module').then(
				({flushCompileCache}) => setTimeout(flushCompileCache, 250).unref(),
				() => {},
			);
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
		if (codeOf(error) === 'EIO') finish(SIGNALS.SIGHUP);
		finish(BUG, `svc-tui hit an internal error: ${label(messageOf(error), 400)}\n`);
	};
	process.on('uncaughtException', bug);
	let isLeaving = false;
	/** A save under way is waited for; one that fails keeps the program running, where it is shown. */
	const quit = async (): Promise<void> => {
		const {saving, savesEnd, notify} = session.store.getState();
		if (saving.length > 0 && !isLeaving) {
			isLeaving = true;
			notify(
				'info',
				`${saving.map(path => label(path, 60)).join(', ')} is still being saved: waiting for that, at most ${LONGEST_SAVE_MS / 1000} seconds. Again quits at once.`,
			);
			const isSaved = await Promise.race([savesEnd(), sleep(LONGEST_SAVE_MS, true)]);
			isLeaving = false;
			if (!isSaved) return;
		}
		await Promise.race([session.store.getState().cellsKept(), sleep(LONGEST_JOURNAL_MS)]);
		await questions.answered();
		const staying = await local.staying();
		const {names, span} = staying ?? {};
		if (!staying?.asks || !staying.isLast || !names?.length || span === undefined)
			return finish(0, summary(session.store, staying));
		session.store
			.getState()
			.openDialog({kind: 'keep', names, span, decide: isKept => void leave(isKept ? staying : null)});
	};
	const leave = async (staying: Staying | null): Promise<void> => {
		const words = summary(session.store, staying);
		// Nothing starts the service again from here on.
		session.close();
		if (staying === null) await local.stop();
		finish(0, words);
	};
	const hearMouse = (take: (event: MouseEvent) => void): void => {
		mouse.take = take;
	};
	let sessions = 0;
	const screens = () => (
		<KeysProvider turn={createKeyTurn(session.store)} onMouse={hearMouse}>
			<App key={sessions++} canLend={jobs.ready} />
		</KeysProvider>
	);
	drawn.instance = render(screens(), {
		stdin: filteredStdin(process.stdin, report => {
			questions.told(report);
			const event = first.mouse ? mouseIn(report) : null;
			if (event !== null) mouse.take?.(event);
			pictures.told?.(report);
		}),
		...(reader && {debug: true}),
		stdout:
			reader?.screen ??
			columnKeeping(process.stdout, {
				onKeys(isOn) {
					terminal.hasKittyKeys = isOn;
				},
				onScreen(isOn) {
					if (!isOn && terminal.isOnAlternate) process.stdout.write(CLEAR);
					terminal.isOnAlternate = isOn;
				},
				onWrite(text) {
					over.screen?.wrote(text);
					placed.pictures?.wrote(text);
				},
			}),
		alternateScreen: true,
		incrementalRendering: true,
		concurrent: true,
		interactive: true,
		maxFps: 200,
		exitOnCtrlC: false,
		patchConsole: false, // Asking first is in vain where the answer takes longer than the 200 ms that Ink waits; who does not know it does nothing.
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
