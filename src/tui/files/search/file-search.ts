import type {AskPage, SearchReply} from '../../../api/search/search-files.ts';
import type {Match, SearchPage} from '../../../api/search/search-page.ts';
import {label} from '../../../text/safe.ts';
import {part, type App} from '../../core/app.ts';
import {route} from '../../core/store/route.ts';
import {serverLinks} from '../../live/links.ts';
import {sentence} from '../content.ts';
import {treeOf} from '../tree/listing.ts';

/** Latest search in the files of a server. */
export type Search = {
	readonly server: string;
	readonly pattern: string;
	readonly matches: readonly Match[];
	/** Number of files searched so far. */
	readonly searched: number;
	/**
	 * `asks`: without a live link the search has to run code, and the user must allow that first.
	 */
	readonly phase: 'running' | 'done' | 'stopped' | 'failed' | 'asks';
	/** The failure as a sentence. */
	readonly says: string;
	readonly startedAt: number;
	/** Time at which the newest page of matches arrived, in ms. */
	readonly at: number;
	/** The match that the user opened last, as `path:line`. */
	readonly chosen: string | null;
};

/** Paths of all files of a server, also in folders that the user never opened. */
export type FileNames = {readonly server: string; readonly paths: readonly string[]; readonly at: number};

export type SearchState = {readonly search: Search | null; readonly fileNames: FileNames | null};

export type FileSearch = {
	/** Starts a search, and stops the previous one. */
	start(server: string, pattern: string): void;
	stop(): void;
	/** Stops the search and stores the match that the user opened. */
	choose(chosen: string): void;
	/** Lists the paths of a server's files, unless a recent list exists. */
	listNames(server: string): Promise<void>;
	/** Allows searches to run code in a server's kernel, and repeats the current search. */
	allowCode(): void;
};

const LIMIT = 500;
const MOST_NAMES = 50_000;
/** Time for which a list of names counts as recent, in ms. */
const NAMES_FRESH = 60_000;
const NAMES = {pattern: '', path: '', fixed: true, ignoreCase: false, context: 0, names: true} as const;

/** Opens the search in the files of the current server. */
export const openSearch = ({get}: Pick<App, 'get'>): string | void => {
	const {current} = get();
	if (current === null) return 'Choose a server first: its files are searched';
	route(get).openDialog({kind: 'search-files', server: current});
};

const troubleText = ({trouble, says = ''}: SearchPage): string | undefined => {
	switch (trouble) {
		case undefined:
			return undefined;
		case 'missing':
			return 'The folder does not exist.';
		case 'pattern':
			return `Not a regular expression: ${label(says, 200)}.`;
		case 'costly':
			return 'This pattern may take too long, and the embedded engine cannot stop it.';
		case 'slow':
			return `The pattern took too long${says === '' ? '' : ` in ${label(says, 200)}`} and was stopped.`;
	}
};

const failureText = (reply: Exclude<SearchReply, {kind: 'page'}>): string => {
	switch (reply.kind) {
		case 'failed':
			return sentence(reply.failure);
		case 'raised':
			return label(reply.says, 300);
		case 'left':
		case 'lost':
			return 'The connection was lost.';
	}
};

export const fileSearch = part(
	'fileSearch',
	({get, set, deps: {client, now}}: App): FileSearch => {
		let running: AbortController | undefined;
		const allowed = new Set<string>();
		const change = (how: Partial<Search>): void => {
			const {search} = get();
			if (search) set({search: {...search, ...how, at: now()}});
		};
		/**
		 * The means to search; null if the server has no live link and the user has not allowed
		 * running code.
		 */
		const reach = async (
			server: string,
		): Promise<{readonly ask: AskPage; readonly end?: () => Promise<void>} | null> => {
			const live = await serverLinks(get).addressLink(server);
			if (live === null && !allowed.has(server) && treeOf(get(), server).source !== 'code') return null;
			// Loaded late, because the module needs the schema library.
			const {askService, createLiveSearch} = await import('../../../api/search/search-files.ts');
			return live ? createLiveSearch(live) : {ask: askService(await client(), server)};
		};
		const run = async (server: string, pattern: string, signal: AbortSignal): Promise<void> => {
			const reached = await reach(server);
			if (signal.aborted) return;
			if (reached === null) return change({phase: 'asks'});
			const {searchFiles} = await import('../../../api/search/search-files.ts');
			try {
				const request = {
					pattern,
					path: '',
					fixed: false,
					ignoreCase: pattern === pattern.toLowerCase(),
					context: 1,
				};
				for await (const reply of searchFiles(reached.ask, request, {limit: LIMIT, signal})) {
					if (signal.aborted) return;
					// Closing the dialog stops the search.
					if (!get().dialogs.some(({kind}) => kind === 'search-files')) return change({phase: 'stopped'});
					if (reply.kind !== 'page') return change({phase: 'failed', says: failureText(reply)});
					const {page} = reply;
					const {matches = [], searched = 0} = get().search ?? {};
					change({matches: [...matches, ...page.matches], searched: searched + page.searched});
					const says = troubleText(page);
					if (says !== undefined) return change({phase: 'failed', says});
				}
				if (!signal.aborted) change({phase: 'done'});
			} finally {
				await reached.end?.();
			}
		};
		const start = (server: string, pattern: string): void => {
			running?.abort();
			running = new AbortController();
			const at = now();
			set({
				search: {
					server,
					pattern,
					matches: [],
					searched: 0,
					phase: 'running',
					says: '',
					startedAt: at,
					at,
					chosen: null,
				},
			});
			void run(server, pattern, running.signal);
		};
		const stop = (): void => {
			running?.abort();
			if (get().search?.phase === 'running') change({phase: 'stopped'});
		};
		return {
			start,
			stop,
			choose(chosen) {
				stop();
				const {search} = get();
				if (search) set({search: {...search, chosen}});
			},
			async listNames(server) {
				const before = get().fileNames;
				if (before?.server === server && now() - before.at < NAMES_FRESH) return;
				// The time is set before the request, so that the next key does not send another
				// request.
				const kept = before?.server === server ? before.paths : [];
				set({fileNames: {server, paths: kept, at: now()}});
				const reached = await reach(server);
				if (reached === null) return;
				const {searchFiles} = await import('../../../api/search/search-files.ts');
				const paths: string[] = [];
				const {signal} = new AbortController();
				try {
					for await (const reply of searchFiles(reached.ask, NAMES, {limit: MOST_NAMES, signal})) {
						if (reply.kind !== 'page') return;
						paths.push(...reply.page.matches.map(({path}) => path));
						if (get().fileNames?.server !== server) return;
						set({fileNames: {server, paths: [...paths], at: now()}});
					}
				} finally {
					await reached.end?.();
				}
			},
			allowCode() {
				const {search} = get();
				if (search === null) return;
				allowed.add(search.server);
				start(search.server, search.pattern);
			},
		};
	},
	(): SearchState => ({search: null, fileNames: null}),
);
