// A session: one store and its way to one service. Another profile is another session with a store of its own, so that nothing that still
// comes of the old one can reach the new: it changes a store that nobody draws.
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
import {createStore} from '../tui/app.ts';
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

/** So often within a minute the local service is started again by itself; what makes it stop would stop it once more. */
const RESTARTS = 3;
const WITHIN_MS = 60_000;
export type Session = {
	readonly store: Store;
	/** Connects and asks. Called once the first frame is drawn. */
	begin(): void;
	/** Writes what is typed and not yet kept. */
	save(): void;
	/** Ends all that goes on with the service. */
	close(): void;
};

type Start = Pick<
	Deps,
	| 'copy'
	| 'show'
	| 'shell'
	| 'open'
	| 'openPicture'
	| 'quit'
	| 'suspend'
	| 'redraw'
	| 'rebound'
	| 'ownCommands'
	| 'colourDepth'
	| 'askPictures'
	| 'showOverlay'
	| 'placePicture'
	| 'dropPicture'
	| 'access'
	| 'keepTheme'
> & {
	readonly edit: (request: EditRequest, keeper: ServiceStorage) => Promise<EditedText>;
	readonly options: ServiceOptions;
	readonly env: NodeJS.ProcessEnv;
	readonly glance: StartupSettings;
	readonly local: LocalService;
	/** Comes back to where the user was on this service. */
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
		keptEdits: async () => (await import('../storage/unsaved-edits.ts')).keptEdits(keeper, Date.now()),
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

	/** Begins to keep what is not due before the first frame. `cannot`: what is said when the disk refuses it. */
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
		const [{restoreCells}, {openCellJournal, removeStaleRecords}] = await Promise.all([
			import('../tui/repl/restore-cells.ts'),
			import('../storage/cell-journal.ts'),
		]);
		if (signal.aborted) return;
		const opened = openCellJournal(keeper);
		restoreCells(store, opened);
		journal.resolve(opened);
		await removeStaleRecords(keeper.folderOf('cells'), Date.now());
	};

	const keepCosts = async (): Promise<void> => {
		const {recordObservations} = await import('../tui/servers/costs/record-observations.ts');
		if (!signal.aborted) recordObservations(store, keeper, glance);
	};

	/** Of a service that was named by its address the settings are not needed; what is wrong with them is reported all the same. */
	const reportSettings = async (): Promise<void> => {
		const {settingsProblem} = await import('../settings/profile-store.ts');
		const problem = settingsProblem();
		if (problem !== null) notices(store.getState).notify('bad', problem);
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
					: await local.attach(() => {
							if (signal.aborted) return;
							// Nothing is asked of an address where nobody listens: it waits for the next one.
							awaitClient();
							stops = [...stops.filter(at => Date.now() - at < WITHIN_MS), Date.now()];
							if (stops.length > RESTARTS) {
								const [what, next] = [
									`The local service stopped ${stops.length} times within a minute.`,
									`${keyFor('global.refresh')} starts it again; ${commandName()} info says where its log is.`,
								];
								control(store.getState).setConnection({status: 'failed', what, next});
								notices(store.getState).notify('bad', `${what} ${next}`);
								return;
							}
							notices(store.getState).notify(
								'bad',
								'The local service stopped; it is being started again. Names in the code are lost, files are kept.',
							);
							control(store.getState).setConnection({
								status: 'connecting',
								doing: 'starting the local service again',
							});
							void connect().then(() => serverList(store.getState).refreshServers());
						}, choice.keepKernels);
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
				? `${key('signIn')} signs in, ${key('profiles')} leads to another profile.`
				: `${keyFor('global.refresh')} tries again; ${commandName()} info shows the settings and where the logs are; ${key('profiles')} leads to another profile.`;
			if (!signal.aborted)
				control(store.getState).setConnection({status: 'failed', what: messageOf(error), next});
		}
	};

	return {
		store,
		begin() {
			void connect();
			void keep('What you type cannot be saved', keepDrafts);
			void keep('Conversations cannot be saved', keepTalk);
			void keep('Cells cannot be kept on disk', keepCells).then(() => journal.resolve(null));
			void keep('What servers cost cannot be kept on disk', keepCosts);
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
			// What is asked for from now on waits for ever, and is forgotten with the store.
			awaitClient();
			requestLog(store.getState).cancelRequests();
			serverLinks(store.getState).closeLinks();
		},
	};
};
