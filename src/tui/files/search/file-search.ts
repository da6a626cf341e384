import type {SearchReply} from '../../../api/search/search-files.ts';
import type {Match, SearchPage} from '../../../api/search/search-page.ts';
import {label} from '../../../text/safe.ts';
import {part, type App} from '../../core/app.ts';
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
	/** `asks`: no live link, and the user has not allowed code for this. */
	readonly phase: 'running' | 'done' | 'stopped' | 'failed' | 'asks';
	/** Reason of a failure, as a sentence. */
	readonly says: string;
	readonly startedAt: number;
	/** Time of the newest page. */
	readonly at: number;
};

export type SearchState = {readonly search: Search | null};

export type FileSearch = {
	/** Starts a search, and stops the one before. */
	start(server: string, pattern: string): void;
	stop(): void;
	/** Allows code in a server's kernel for searches, and starts the refused search again. */
	allowCode(): void;
};

const LIMIT = 500;

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
		const run = async (server: string, pattern: string, signal: AbortSignal): Promise<void> => {
			const live = await serverLinks(get).addressLink(server);
			if (signal.aborted) return;
			if (live === null && !allowed.has(server) && treeOf(get(), server).source !== 'code')
				return change({phase: 'asks'});
			// Loaded late, since it needs the schema library.
			const {askService, createLiveSearch, searchFiles} = await import('../../../api/search/search-files.ts');
			const own = live && createLiveSearch(live);
			try {
				const request = {
					pattern,
					path: '',
					fixed: false,
					ignoreCase: pattern === pattern.toLowerCase(),
					context: 1,
				};
				const ask = own?.ask ?? askService(await client(), server);
				for await (const reply of searchFiles(ask, request, {limit: LIMIT, signal})) {
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
				await own?.end();
			}
		};
		const start = (server: string, pattern: string): void => {
			running?.abort();
			running = new AbortController();
			const at = now();
			set({
				search: {server, pattern, matches: [], searched: 0, phase: 'running', says: '', startedAt: at, at},
			});
			void run(server, pattern, running.signal);
		};
		return {
			start,
			stop() {
				running?.abort();
				if (get().search?.phase === 'running') change({phase: 'stopped'});
			},
			allowCode() {
				const {search} = get();
				if (search === null) return;
				allowed.add(search.server);
				start(search.server, search.pattern);
			},
		};
	},
	(): SearchState => ({search: null}),
);
