import type {Failure} from '../../../api/failure.ts';
import type {ComputeOption} from '../../../contract/compute.ts';
import {isOver} from '../../../text/server-states.ts';
import {createdName} from '../../../contract/names.ts';
import type {CreatedServer, ServerItem, StartedServer} from '../../../contract/servers.ts';
import {offerOf, priceOf} from '../../../query/offers.ts';
import {perHour} from '../../../text/money.ts';
import {label} from '../../../text/safe.ts';
import {newForm, requestOf, startForm, type CreateForm} from './form.ts';
import {cardForUsual, createFromOffer, recheckOffer} from './create-from-offer.ts';
import {explainFailure} from '../../core/store/remote.ts';
import {findServer, hasStatus, serverList} from '../servers.ts';
import {part, type App} from '../../core/app.ts';
import type {Dialog} from '../../core/program.ts';
import {catalogue} from '../../compute/catalogue.ts';
import {route, topDialog} from '../../core/store/route.ts';
import {notices} from '../../core/store/notices.ts';

export type RentingState = {
	/** Draft of a form for a new server; null for none. */
	readonly keptForm: CreateForm | null;
	/** The form that the user closed last, with the time in ms since the epoch. */
	readonly droppedForm: {readonly form: CreateForm; readonly at: number} | null;
};

export type Renting = {
	keepForm(form: CreateForm | null): void;
	/** Keeps a closed form for a minute, so that a key can restore it. Null drops the kept form. */
	noteDropped(form: CreateForm | null): void;
	/** Opens the card with the option used last, or the form that the user left unfinished. */
	openCard(): void;
	/** Opens the form for a new server, with some fields filled. */
	openCreate(values: Parameters<typeof newForm>[0]): void;
	/**
	 * Opens the form with an option of the catalogue, and checks in the background whether the
	 * option is still available.
	 */
	createWith(wanted: ComputeOption, regions: readonly string[]): Promise<void>;
	/**
	 * Submits the form in the topmost dialog, once. Shows the outcome in the form while it is open,
	 * else in a notice.
	 */
	rent(): Promise<void>;
	/** Allows starts to download the packages of an environment, and then calls `again`. */
	allowDownload(environment: string, again: () => void): Promise<void>;
	/** Starts an offline server of this machine with its last settings. */
	startAgain(server: string): Promise<void>;
};

/** Longest wait for the catalogue, in ms. */
const CATALOGUE_MAY_TAKE = 3000;
/**
 * Time after a press of the rent key in which a letter shows that the press was part of a word, in
 * ms. It is three times what a practised typist needs between two letters.
 */
const WORD_MAY_CONTINUE = 500;
/** Delays before each poll for a server whose response was lost, in ms. */
const POLL_DELAYS_MS = [0, 1000, 2000, 4000];
/** Number of lists without the server that prove that the server was not created. */
const PROOF_LISTS = 2;

/** HTTP status of a start that is not possible now. */
const CONFLICT = 409;

const asRate = (rate: number): string => perHour(rate);

/**
 * True if the list shows that a start took effect: the state has changed, and the server has not
 * stopped.
 */
const isStartedSince = ({status: before}: ServerItem, {status}: ServerItem): boolean =>
	status !== before && !isOver(status);

/** Returns the dialog without this press of the rent key. */
const unconfirmed = (dialog: Dialog, press: CreateForm['confirmed']): Dialog =>
	dialog.kind === 'create' && dialog.form.confirmed === press
		? {...dialog, form: {...dialog.form, confirmed: undefined}}
		: dialog;

const firstRenting = (): RentingState => ({keptForm: null, droppedForm: null});

export const renting = part(
	'renting',
	({get, set, deps: {client, now}}: App): Renting => {
		/**
		 * Polls the list after a lost response. True if the list shows that the request took
		 * effect; null if no list arrived.
		 */
		const pollForServer = async ({name, server}: CreateForm): Promise<boolean | null> => {
			let seen = 0;
			for (const pause of POLL_DELAYS_MS) {
				await new Promise(resolve => setTimeout(resolve, pause));
				await serverList(get).refreshServers();
				if (get().servers.status !== 'ready') continue;
				const found = findServer(get(), name);
				if (found && (server === null || isStartedSince(server, found))) return true;
				seen++;
			}
			return seen >= PROOF_LISTS ? false : null;
		};

		const refusalOf = async (form: CreateForm, failure: Failure): Promise<string | null> => {
			const {what, next} = explainFailure(failure);
			if (!failure.ambiguous) return `${what} ${next}`;
			const name = label(form.name, 40);
			const done = form.server === null ? 'created' : 'started';
			const found = await pollForServer(form);
			if (found) return null;
			return found === false
				? `${failure.message} The list does not show ${name} as ${done}, so it was not ${done}, or not yet. Nothing was sent twice.`
				: `${failure.message} The list of servers did not load either: ${name} may or may not have been ${done}. Check the list before you try again.`;
		};

		/**
		 * Reloads the catalogue, to detect that an option is gone. False if the catalogue did not
		 * arrive in time; the service then decides.
		 */
		const refreshCatalogue = async (): Promise<boolean> => {
			const late = new Promise<void>(resolve => {
				setTimeout(resolve, CATALOGUE_MAY_TAKE).unref();
			});
			await Promise.race([catalogue(get).refreshCompute(), late]);
			return get().compute.status === 'ready';
		};

		/**
		 * If a start was refused because packages are missing, asks the user to allow their
		 * download. False if the start was refused for another reason.
		 */
		const askToDownload = async (
			{status}: Failure,
			environment: string,
			again: () => void,
		): Promise<boolean> => {
			if (status !== CONFLICT || !get().isLocal) return false;
			const reply = await (await client()).planEnvironment(environment);
			if (!reply.ok || reply.value.download == null || reply.value.download.allowed) return false;
			route(get).openDialog({kind: 'download', contents: reply.value, again});
			return true;
		};

		return {
			async allowDownload(environment, again) {
				const reply = await (await client()).allowDownload(environment);
				if (reply.ok) again();
				else notices(get).notify('bad', `Nothing was downloaded: ${label(reply.failure.message, 400)}`);
			},
			openCreate: values => route(get).openDialog({kind: 'create', form: newForm(values)}),
			createWith: async (wanted, regions) => createFromOffer(get, wanted, regions, now()),
			keepForm: keptForm => set({keptForm}),
			noteDropped: form => set({droppedForm: form && {form: {...form, dropped: undefined}, at: now()}}),
			openCard() {
				const {keptForm} = get();
				if (keptForm === null) return void cardForUsual(get, now());
				route(get).openDialog({kind: 'create', form: keptForm});
				set({keptForm: null});
			},
			async startAgain(name) {
				const server = findServer(get(), name);
				if (server?.status !== 'offline') return;
				const {server_name: _, ...settings} = requestOf(startForm(server), get().compute.value?.items);
				const since = now();
				const reply = await (await client()).startServer(name, settings);
				const again = (): void => void renting(get).startAgain(name);
				if (!reply.ok && (await askToDownload(reply.failure, settings.environment, again))) return;
				if (!reply.ok)
					return notices(get).notify(
						'bad',
						`${label(name)} was not started: ${label(reply.failure.message, 400)}`,
					);
				const {hourly_rate: rate} = reply.value;
				serverList(get).awaitServer(name, {listed: null, rate, quoted: null, since, ranBefore: false}, true);
			},
			async rent() {
				const dialog = get().dialogs.at(-1);
				if (dialog?.kind !== 'create' || dialog.form.sending !== null) return;
				const form = {...dialog.form, hint: null, confirmed: undefined, early: undefined};
				const {dialogCount} = get();
				const isOpen = (): boolean =>
					get().dialogCount === dialogCount && get().dialogs.at(-1)?.kind === 'create';
				const change = (next: Partial<CreateForm>): void => {
					if (isOpen()) route(get).changeDialog({kind: 'create', form: {...form, ...next}});
				};
				const request = requestOf(form, get().compute.value?.items);
				const {server_name: name, ...settings} = request;
				const offerNow = (): ComputeOption | undefined =>
					offerOf(settings.server_request, get().compute.value?.items);
				const priceNow = (): number | undefined =>
					priceOf(settings.server_request, get().compute.value?.items);
				const shown = offerNow();
				const shownPrice = priceNow();
				const answer = refreshCatalogue();
				const {confirmed} = dialog.form;
				if (confirmed !== undefined) {
					await new Promise(resolve => setTimeout(resolve, WORD_MAY_CONTINUE));
					const isMeant = topDialog(get(), 'create')?.form.confirmed === confirmed;
					// The card may be below another dialog by now.
					set({dialogs: get().dialogs.map(each => unconfirmed(each, confirmed))});
					if (isOpen() && !isMeant) return;
				}
				change({sending: 'checking', refusal: null});
				const isAnswered = await answer;
				if (!isOpen())
					return notices(get).notify(
						'info',
						`${label(name)} was not ${form.server === null ? 'created' : 'started'}: the form was closed before anything was sent`,
					);
				if (isAnswered) {
					const before = shownPrice;
					const price = priceNow();
					// The service may still offer a server's previous option although the list
					// lacks that option, so the service decides.
					if (shown !== undefined && settings.server_request !== form.server?.server_request) {
						const next = recheckOffer(form, shown, get().compute);
						if (next.compute !== form.compute || next.at !== form.at)
							return change({...next, sending: null, refusal: null});
					}
					if (before !== undefined && price !== undefined && price !== before)
						return change({
							sending: null,
							failure: undefined,
							isRequoted: true,
							refusal: `It costs ${perHour(price)} now, not ${perHour(before)}. Nothing was sent: confirm it once more at the new price.`,
						});
				}
				const quoted = priceNow() ?? null;
				const since = now();
				change({sending: 'asking', refusal: null});
				const api = await client();
				const reply:
					| {readonly ok: true; readonly value: CreatedServer | StartedServer}
					| {readonly ok: false; readonly failure: Failure} =
					form.server === null ? await api.createServer(request) : await api.startServer(name, settings);
				if (!reply.ok) {
					if (reply.failure.ambiguous) change({sending: 'looking'});
					const {failure} = reply;
					const refusal = await refusalOf(form, failure);
					if (refusal !== null) {
						const again = (): void => void renting(get).rent();
						if (isOpen()) {
							change({sending: null});
							if (await askToDownload(failure, settings.environment, again)) return;
						}
						if (form.server === null) set({keptForm: {...form, refusal, failure}});
						if (isOpen()) change({sending: null, refusal, failure});
						else
							notices(get).notify(
								'bad',
								`${label(name)} was not ${form.server === null ? 'created' : 'started'}: ${label(refusal, 400)}`,
							);
						return;
					}
				}
				const rate = reply.ok ? reply.value.hourly_rate : null;
				const wasOpen = isOpen();
				if (wasOpen) route(get).closeDialog();
				set({keptForm: null});
				// If the user has left the form, the current server must not change. Otherwise
				// typed text would go to another server.
				const started = reply.ok && form.server === null ? createdName(reply.value, name) : name;
				serverList(get).awaitServer(started, {listed: null, rate, quoted, since, ranBefore: false}, wasOpen);
				const charged = rate ?? quoted;
				notices(get).notify(
					'info',
					`${label(started)} is ${reply.ok ? 'starting' : reply.failure.kind === 'off-contract' ? 'in the list, although the response could not be read' : 'in the list, although the response was lost'}${charged === null ? '' : `, ${asRate(charged)}${rate === null ? ' according to the catalogue' : ''}`}`,
					state => !hasStatus(started, 'ready')(state),
				);
				if (rate === null || quoted === null || rate === quoted) return;
				if (wasOpen) route(get).openDialog({kind: 'price', server: started, quoted, charged: rate});
				else
					notices(get).notify(
						'bad',
						`${label(started)} costs ${asRate(rate)}, not the ${asRate(quoted)} that the catalogue said`,
					);
			},
		};
	},
	firstRenting,
);
