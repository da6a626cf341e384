import {createClient} from '../../src/api/client.ts';
import type {Deps} from '../../src/tui/core/store/deps.ts';
import type {Store} from '../../src/tui/core/program.ts';
import {createStore} from '../../src/tui/create-store.ts';

/** A store connected to a service, without screens. */
export const storeOn = (baseUrl: string, deps: Partial<Deps> = {}): Store =>
	createStore({
		client: async () => createClient({baseUrl, apiKey: 'key'}),
		now: Date.now,
		copy: async () => ({isInClipboard: false, isInTmux: false, isAsked: true}),
		show: async () => false,
		edit: async () => Promise.reject(new Error('no editor')),
		open: async () => false,
		...deps,
	});
