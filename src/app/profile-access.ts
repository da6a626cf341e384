import {join} from 'node:path';
import {explainFailure} from '../api/failure.ts';
import type {StartupSettings} from '../settings/startup-settings.ts';
import type {ServiceOptions} from '../settings/target.ts';
import {paths} from '../machine/paths.ts';
import type {ProfileAccess} from '../tui/core/store/deps.ts';
import {messageOf} from '../text/errors.ts';

/** Access to the profiles in the settings, and sign-in. */
export const createProfileAccess = (
	open: (name: string | null) => void,
	start: {readonly options: ServiceOptions; readonly glance: StartupSettings},
): ProfileAccess => {
	const byAddress = start.options.profile === undefined && start.glance.isByAddress;
	return {
		open,
		async list() {
			const {listProfiles} = await import('../settings/profile-store.ts');
			const title = start.glance.facts.serviceName;
			const named = {name: null, title, host: 'named at the start', hasKey: true, readOnly: false};
			return [...(byAddress ? [named] : []), ...listProfiles()];
		},
		async known(name) {
			const {knownProfile} = await import('../settings/profile-store.ts');
			return knownProfile(name);
		},
		keyFileOf: name => join(paths().config, 'keys', name),
		async ways(service) {
			try {
				const [{reachOf}, {signInWaysOf}] = await Promise.all([
					import('../settings/profile-store.ts'),
					import('../api/key-page.ts'),
				]);
				return await signInWaysOf(reachOf(service));
			} catch {
				// Ignored here, because unreadable settings are reported when the key is stored.
				return {page: null, hasBrowser: false};
			}
		},
		async keyByBrowser(service, given) {
			const [{reachOf}, {browserSignIn}] = await Promise.all([
				import('../settings/profile-store.ts'),
				import('../api/browser-sign-in.ts'),
			]);
			try {
				const outcome = await browserSignIn(reachOf(service), given);
				if (outcome === null || 'key' in outcome) return outcome;
				return 'failure' in outcome ? explainFailure(outcome.failure).what : outcome.refusal;
			} catch (error) {
				return messageOf(error);
			}
		},
		async signIn(request) {
			const [{signIn}, {createClient}] = await Promise.all([
				import('../settings/profile-store.ts'),
				import('../api/client.ts'),
			]);
			try {
				const {profile} = await signIn(request, async service => {
					const reply = await createClient(service).environments();
					if (!reply.ok) throw new Error(explainFailure(reply.failure).what);
				});
				open(profile);
				return undefined;
			} catch (error) {
				return messageOf(error);
			}
		},
	};
};
