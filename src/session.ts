// A session: one store and its way to one service. Another profile is another session with a store of its own, so that nothing that still
// comes of the old one can reach the new: it changes a store that nobody draws.
import {join} from 'node:path';
import type {Client, ClientSettings} from './api/client-types.ts';
import {keepPlace} from './kept-place.ts';
import type {Attached} from './launch/attach-local.ts';
import type {Glance} from './settings/glance.ts';
import type {CellJournal} from './settings/cell-journal.ts';
import type {ServiceOptions} from './settings/target.ts';
import type {Deps, EditedText, EditRequest} from './store/deps.ts';
import type {KeptConversations} from './store/assistant-keep.ts';
import type {KeptDrafts} from './store/drafts.ts';
import {createStore, type Store} from './store/store.ts';
import {showKey} from './ui/frame/footer.ts';
import {keyOf} from './ui/keys/live-keys.ts';

const RESTARTS = 3;

/** The service on this machine, held from its first use to the end of the program: servers there go on while another profile is shown. */
export type LocalService = {
	attach(onEnd: () => void): Promise<Attached>;
	release(): void;
};

export const createLocalService = (): LocalService => {
	let held: Attached | undefined;
	let tell = (): void => {};
	return {
		async attach(onEnd) {
			tell = onEnd;
			if (held) return held;
			const [{attachLocal}, {localDataFolder}] = await Promise.all([import('./launch/attach-local.ts'), import('./settings/paths.ts')]);
			held = await attachLocal({
				dataFolder: localDataFolder(),
				program: [process.execPath, ...process.execArgv, join(import.meta.dirname, 'boot.js')],
				onEnd() {
					held = undefined;
					tell();
				},
			});
			return held;
		},
		release: () => held?.release(),
	};
};

export type Session = {
	readonly store: Store;
	/** Connects and asks. Called once the first frame is drawn. */
	begin(): void;
	/** Writes what is typed and not yet kept. */
	save(): void;
	/** Ends all that goes on with the service. */
	close(): void;
};

type Start = Pick<Deps, 'copy' | 'open' | 'rebound' | 'colourDepth' | 'access'> & {
	/** For a service: its base URL, or `local`. */
	readonly edit: (request: EditRequest, service: string) => Promise<EditedText>;
	readonly options: ServiceOptions;
	readonly env: NodeJS.ProcessEnv;
	readonly glance: Glance;
	readonly local: LocalService;
	/** Comes back to where the user was on this service. */
	readonly isComingBack: boolean;
};

const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export const createSession = ({options, env, glance, local, isComingBack, edit, ...deps}: Start): Session => {
	const ending = new AbortController();
	const {signal} = ending;
	let settle: (client: Client) => void = () => {};
	let client = Promise.resolve<Client>(undefined as never);
	const awaitClient = (): void => {
		client = new Promise<Client>(resolve => {
			settle = resolve;
		});
	};
	awaitClient();
	const journal = Promise.withResolvers<CellJournal | null>();
	const keptEdits = async () => {
		const [{keptEdits: find}, {paths}] = await Promise.all([import('./settings/edit-copies.ts'), import('./settings/paths.ts')]);
		return find(join(paths().state, 'edits'), glance.service, Date.now());
	};
	const store = createStore({...deps, edit: async request => edit(request, glance.service), keptEdits, client: () => client, now: Date.now, facts: glance.facts, journal: () => journal.promise});
	const {setConnection, setService, notify, watchCall} = store.getState();
	const place = keepPlace(store, glance.service, isComingBack);
	const save = (): void => {
		drafts?.save();
		conversations?.save();
		place.save();
	};
	let drafts: KeptDrafts | undefined;
	let conversations: KeptConversations | undefined;
	let restarts = 0;

	const keepDrafts = async (): Promise<void> => {
		try {
			const [{keepDrafts: keep}, {openDraftFiles}, {paths}] = await Promise.all([import('./store/drafts.ts'), import('./settings/draft-files.ts'), import('./settings/paths.ts')]);
			if (!signal.aborted) drafts = keep(store, openDraftFiles(join(paths().state, 'drafts'), glance.service));
		} catch (error) {
			notify('bad', `What you type cannot be saved: ${sentenceOf(error)}`);
		}
	};

	const keepTalk = async (): Promise<void> => {
		try {
			const [{keepConversations}, {openConversationFiles}, {paths}] = await Promise.all([import('./store/assistant-keep.ts'), import('./settings/conversation-files.ts'), import('./settings/paths.ts')]);
			if (!signal.aborted) conversations = keepConversations(store, openConversationFiles(join(paths().state, 'conversations'), glance.service));
		} catch (error) {
			notify('bad', `Conversations cannot be saved: ${sentenceOf(error)}`);
		}
	};

	const keepCells = async (): Promise<void> => {
		try {
			const [{restoreCells}, {openCellJournal}, {paths}] = await Promise.all([import('./store/kept-cells.ts'), import('./settings/cell-journal.ts'), import('./settings/paths.ts')]);
			if (signal.aborted) return;
			const opened = openCellJournal(join(paths().state, 'cells'), glance.service);
			restoreCells(store, opened);
			journal.resolve(opened);
		} catch (error) {
			notify('bad', `Cells cannot be kept on disk: ${sentenceOf(error)}`);
			journal.resolve(null);
		}
	};

	/** Of a service that was named by its address the settings are not needed; what is wrong with them is told all the same. */
	const tellSettings = async (): Promise<void> => {
		const {settingsProblem} = await import('./settings/profile-store.ts');
		const problem = settingsProblem();
		if (problem !== null) notify('bad', problem);
	};

	const connect = async (): Promise<void> => {
		try {
			const [{chooseService}, {createClient}, {guarded}] = await Promise.all([import('./settings/target.ts'), import('./api/client.ts'), import('./api/read-only.ts')]);
			const choice = await chooseService(options, env);
			setService(choice.facts);
			const settings: ClientSettings = choice.kind === 'remote' ? choice : await local.attach(() => {
				if (signal.aborted) return;
				if (++restarts > RESTARTS) {
					setConnection({status: 'failed', what: 'The local service stopped again and again.', next: 'svc-tui info says where its log is.'});
					return;
				}
				notify('bad', 'The local service stopped; it is being started again. Names in the code are lost, files are kept.');
				setConnection({status: 'connecting', doing: 'starting the local service again'});
				awaitClient();
				void connect().then(() => store.getState().refreshServers());
			});
			if (signal.aborted) return;
			settle(guarded(createClient({...settings, watch: watchCall}), choice.facts));
			setConnection({status: 'ready'});
			if (glance.isByAddress) await tellSettings();
			await store.getState().loadProfiles().catch(() => {});
		} catch (error) {
			const key = (action: 'signIn' | 'profiles'): string => showKey(keyOf(store.getState(), 'anywhere', action));
			const needsKey = error instanceof Error && 'code' in error && error.code === 'auth';
			const next = needsKey ? `${key('signIn')} signs in, ${key('profiles')} leads to another profile.` : `svc-tui info shows the settings and where the logs are; ${key('profiles')} leads to another profile.`;
			if (!signal.aborted) setConnection({status: 'failed', what: sentenceOf(error), next});
		}
	};

	return {
		store,
		begin() {
			void connect();
			void keepDrafts();
			void keepTalk();
			void keepCells();
			void store.getState().lookForEdits().catch(() => {});
			store.getState().pollServers(signal);
			void store.getState().refreshCompute();
		},
		save,
		close() {
			save();
			place.stop();
			ending.abort();
			// What is asked for from now on waits for ever, and is forgotten with the store.
			awaitClient();
			for (const {id, took} of store.getState().requests) if (took === null) store.getState().cancelRequest(id);
		},
	};
};
