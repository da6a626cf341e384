import {join} from 'node:path';
import {explainFailure} from '../api/failure.ts';
import type {Glance} from '../settings/glance.ts';
import type {ServiceOptions} from '../settings/target.ts';
import {paths} from '../state/paths.ts';
import type {ProfileAccess} from '../tui/core/store/deps.ts';

/** What the settings hold of profiles, and how one is signed in to. */
export const createProfileAccess = (
	open: (name: string | null) => void,
	start: {readonly options: ServiceOptions; readonly glance: Glance},
): ProfileAccess => {
	const byAddress = start.options.profile === undefined && start.glance.isByAddress;
	return {
		open,
		async list() {
			const {listProfiles} = await import('../settings/profile-store.ts');
			const profiles = listProfiles();
			const {
				facts: {serviceName},
			} = start.glance;
			return byAddress
				? [
						{name: null, title: serviceName, host: 'named at the start', hasKey: true, readOnly: false},
						...profiles,
					]
				: profiles;
		},
		async known(name) {
			const {knownProfile} = await import('../settings/profile-store.ts');
			return knownProfile(name);
		},
		keyFileOf: name => join(paths().config, 'keys', name),
		async signIn(request) {
			const [{signIn}, {createClient}] = await Promise.all([
				import('../settings/profile-store.ts'),
				import('../api/client.ts'),
			]);
			const done = await signIn(request, async settings => {
				const reply = await createClient(settings).environments();
				return reply.ok ? null : explainFailure(reply.failure).what;
			});
			if ('fault' in done) return done.fault;
			open(done.profile);
		},
	};
};
