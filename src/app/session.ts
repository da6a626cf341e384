// Session: a store with its connection to a service. Another profile gets its own session and
// store, so late responses of the old session cannot reach it.
import type {Client} from '../api/client-types.ts';
import {commandName} from '../settings/command-name.ts';
import {lastServers, autosaveLocation, saveServers} from './restore-location.ts';
import type {StartupSettings} from '../settings/startup-settings.ts';
import type {CellJournal} from '../storage/cell-journal.ts';
import {openServiceStorage, type ServiceStorage} from '../storage/service-storage.ts';
import {paths} from '../machine/paths.ts';
import {openRateStorage} from '../costs/reported-rates.ts';
import type {ServiceOptions} from '../settings/target.ts';
import type {Deps, EditedText, EditRequest} from '../tui/core/store/deps.ts';
import type {Store} from '../tui/core/program.ts';
import {draftSources} from '../tui/core/features.ts';
import {createStore} from '../tui/create-store.ts';
import {showKey} from '../tui/core/frame/footer.ts';
import {keyFor, keyOf} from '../tui/core/keys/live-keys.ts';
import {codeOf, messageOf} from '../text/errors.ts';
import {storageErrorText} from '../machine/disk-fault.ts';
import type {LocalService} from './own-local-service.ts';
import {serverList} from '../tui/servers/servers.ts';
import {control} from '../tui/core/store/session.ts';
import {notices} from '../tui/core/store/notices.ts';
import {requestLog} from '../tui/core/store/requests.ts';
import {profileAccess} from '../tui/profiles/profiles.ts';
import {catalogue} from '../tui/compute/catalogue.ts';
import {unsavedEdits} from '../tui/files/saving/unsaved-edits.ts';
import {serverLinks} from '../tui/live/links.ts';

/**
 * Maximum number of automatic restarts of the local service within a minute. More would be useless,
 * because the problem persists.
 */
const RESTARTS = 3;
const WITHIN_MS = 60_000;
export type Session = {
	readonly store: Store;
	/** Connects and sends the first requests. Called once the first frame is drawn. */
	begin(): void;
	/** Writes pending changes to disk. */
	save(): void;
	/** Ends all work of the session with its service. */
	close(): void;
};

type Start = Pick<
	Deps,
	| 'copy'
	| 'show'
	| 'shell'
	| 'signInToHost'
	| 'open'
	| 'openPicture'
	| 'openPage'
	| 'quit'
	| 'suspend'
	| 'redraw'
	| 'rebound'
	| 'hasCounts'
	| 'ownCommands'
	| 'pictureStyle'
	| 'askPictures'
	| 'showOverlay'
	| 'placePicture'
	| 'dropPicture'
	| 'access'
	| 'keepTheme'
	| 'isSpoken'
> & {
	readonly edit: (request: EditRequest, keeper: ServiceStorage) => Promise<EditedText>;
	readonly options: ServiceOptions;
	readonly env: NodeJS.ProcessEnv;
	readonly glance: StartupSettings;
	readonly local: LocalService;
	/** Restores the user's location on this service. */
	readonly isComingBack: boolean;
};

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
	const keeper = openServiceStorage(paths().state, glance.service, glance);
	const store = createStore({
		...deps,
		reconnect: () => void connect().then(() => serverList(store.getState).refreshServers()),
		rates: openRateStorage(keeper),
		lastServers: lastServers(keeper),
		costs: async () =>
			(await import('../tui/servers/costs/record-observations.ts')).costHistory(keeper, glance),
		edit: async request => edit(request, keeper),
		keepCopy: async request =>
			(await import('../storage/recovery-copy.ts')).makeRecoveryCopy(keeper, request),
		saver: keeper.saver,
		localEntries: async folder => (await import('../machine/local-file.ts')).localEntries(folder),
		keptEdits: async () => (await import('../storage/unsaved-edits.ts')).listUnsavedEdits(keeper, Date.now()),
		client: () => client,
		now: Date.now,
		facts: glance.facts,
		columns: glance.columns,
		journal: () => journal.promise,
		async tasks() {
			const {lastTaskJournal, newTaskJournal} = await import('../storage/tasks.ts');
			return {
				begin: (server, id) => newTaskJournal(keeper, server, id),
				last: server => lastTaskJournal(keeper, server),
			};
		},
	});
	autosaveLocation(store, keeper, isComingBack);
	saveServers(store, keeper);
	let stops: readonly number[] = [];

	/**
	 * Opens storage that the first frame does not need. `cannot`: start of the notice after a disk
	 * error.
	 */
	const keep = async (cannot: string, begin: () => Promise<void>): Promise<void> => {
		try {
			await begin();
		} catch (error) {
			notices(store.getState).notify('bad', `${cannot}: ${storageErrorText(error)}`);
		}
	};
	const keepDrafts = async (): Promise<void> => {
		const [{persistDrafts: keepAll}, {openDrafts}] = await Promise.all([
			import('../tui/core/store/persist-drafts.ts'),
			import('../storage/drafts.ts'),
		]);
		if (!signal.aborted) keepAll(store, keeper, openDrafts(keeper), draftSources());
	};
	const keepTalk = async (): Promise<void> => {
		const [{persistConversations}, {openConversations}] = await Promise.all([
			import('../tui/assistant/persist-conversations.ts'),
			import('../storage/conversations.ts'),
		]);
		if (!signal.aborted) persistConversations(store, keeper, openConversations(keeper));
	};
	const keepCells = async (): Promise<void> => {
		const [{restoreCells}, {openCellJournal}] = await Promise.all([
			import('../tui/repl/restore-cells.ts'),
			import('../storage/cell-journal.ts'),
		]);
		if (signal.aborted) return;
		const opened = openCellJournal(keeper);
		restoreCells(store, opened);
		journal.resolve(opened);
		await opened.removeStale(Date.now());
	};

	const keepCosts = async (): Promise<void> => {
		const {recordObservations} = await import('../tui/servers/costs/record-observations.ts');
		if (!signal.aborted) recordObservations(store, keeper, glance);
	};

	/**
	 * Reports invalid settings. Needed if the service was given by its address, because connecting
	 * then works without valid settings.
	 */
	const reportSettings = async (): Promise<void> => {
		const {settingsProblem} = await import('../settings/profile-store.ts');
		const problem = settingsProblem();
		if (problem !== null) notices(store.getState).notify('bad', problem);
	};

	/** Called when the local service has ended. */
	const restart = (): void => {
		if (signal.aborted) return;
		// Makes requests wait for the next service, instead of going to the stopped one.
		awaitClient();
		stops = [...stops.filter(at => Date.now() - at < WITHIN_MS), Date.now()];
		if (stops.length > RESTARTS) {
			const [what, next] = [
				`The local service stopped ${stops.length} times in one minute.`,
				`${keyFor('global.refresh')} restarts it. ${commandName()} info shows the path of its log.`,
			];
			control(store.getState).setConnection({status: 'failed', what, next});
			notices(store.getState).notify('bad', `${what} ${next}`);
			return;
		}
		notices(store.getState).notify(
			'bad',
			'The local service stopped and is restarting. Kernel variables are lost; files are kept.',
		);
		control(store.getState).setConnection({status: 'connecting', doing: 'restarting the local service'});
		void connect().then(() => serverList(store.getState).refreshServers());
	};
	const connect = async (): Promise<void> => {
		try {
			const [{chooseService}, {createClient}, {restrictedClient}] = await Promise.all([
				import('../settings/target.ts'),
				import('../api/client.ts'),
				import('../api/read-only.ts'),
			]);
			const choice = await chooseService(options, env);
			control(store.getState).setService(choice.facts);
			const reached =
				choice.kind === 'remote'
					? choice
					: await local.attach(choice.keepKernels, {
							onEnd: restart,
							onChange() {
								if (!signal.aborted) void serverList(store.getState).refreshServers();
							},
						});
			if (signal.aborted) return;
			settle(
				restrictedClient(
					createClient({...choice, ...reached, watch: requestLog(store.getState).watchCall}),
					choice.facts,
				),
			);
			control(store.getState).setConnection({status: 'ready', lasts: 'leased' in reached && !reached.leased});
			if (glance.isByAddress) await reportSettings();
			await profileAccess(store.getState)
				.loadProfiles()
				.catch(() => {});
		} catch (error) {
			const key = (action: 'signIn' | 'profiles'): string =>
				showKey(keyOf(store.getState(), 'anywhere', action));
			const needsKey = codeOf(error) === 'auth';
			const next = needsKey
				? `${key('signIn')} signs in; ${key('profiles')} switches profile.`
				: `${keyFor('global.refresh')} tries again; ${key('profiles')} switches profile. ${commandName()} info shows settings and log paths.`;
			if (!signal.aborted)
				control(store.getState).setConnection({status: 'failed', what: messageOf(error), next});
		}
	};

	return {
		store,
		begin() {
			void connect();
			void keep('Drafts cannot be saved', keepDrafts);
			void keep('Conversations cannot be saved', keepTalk);
			void keep('Cells cannot be saved to disk', keepCells).then(() => journal.resolve(null));
			void keep('Cost history cannot be saved to disk', keepCosts);
			keeper.sweep();
			void unsavedEdits(store.getState)
				.lookForEdits()
				.catch(() => {});
			serverList(store.getState).pollServers(signal);
			void catalogue(store.getState).refreshCompute();
		},
		save: keeper.flush,
		close() {
			keeper.close();
			for (const {copy} of store.getState().notebooks.values()) copy?.release();
			ending.abort();
			// Later requests wait forever, and are forgotten with the store.
			awaitClient();
			requestLog(store.getState).cancelRequests();
			serverLinks(store.getState).closeLinks();
		},
	};
};
