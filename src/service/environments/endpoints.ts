import {
	allowDownload,
	createEnvironment,
	getSetup,
	planEnvironment,
	removeEnvironment,
	type EnvironmentContents,
} from '../../contract/environment-setup.ts';
import type {Environment} from '../../contract/environments.ts';
import type {Backend} from '../backend.ts';
import {ServiceFault} from '../http/fault.ts';
import {serveEndpoint, type Route} from '../http/route.ts';
import type {EnvironmentSetup} from './setup.ts';

type Setup = NonNullable<Backend['setup']>;

const required = (setup: Backend['setup']): Setup => {
	if (setup) return setup;
	throw new ServiceFault(
		409,
		'This service cannot show what its environments contain, because a hub or a catalogue file defines them. Look there.',
	);
};

const changeable = (setup: Backend['setup']): EnvironmentSetup => {
	const {isShared, ...found} = required(setup);
	if (!isShared) return found;
	throw new ServiceFault(
		409,
		'The environments of this service are shared by its users. Only a service that your programs start automatically changes them.',
	);
};

const known = (id: string, environments: readonly Environment[]): string => {
	if (environments.some(({environment_id: each}) => each === id)) return id;
	throw new ServiceFault(404, `There is no environment ${JSON.stringify(id)}.`);
};

/**
 * Routes for environments, which are an extension of the API. `listed`: returns all environments of
 * the service.
 */
export const environmentRoutes = (
	setup: Backend['setup'],
	listed: () => readonly Environment[],
): readonly Route[] => {
	const answer = async (id: string): Promise<{status: 'success'; environment: EnvironmentContents}> => ({
		status: 'success',
		environment: await required(setup).plan(known(id, listed())),
	});
	return [
		serveEndpoint(getSetup, async () => ({
			status: 'success' as const,
			environments: [...(await required(setup).contents(listed().map(({environment_id: id}) => id)))],
		})),
		serveEndpoint(planEnvironment, ({body}) => answer(body.environment_id)),
		serveEndpoint(allowDownload, ({body}) => {
			changeable(setup).allow(known(body.environment_id, listed()));
			return answer(body.environment_id);
		}),
		serveEndpoint(createEnvironment, async ({body}) => {
			const {environment_id: id} = body;
			if (listed().some(({environment_id: each}) => each === id))
				throw new ServiceFault(409, `The environment ${id} already exists.`);
			await changeable(setup).create(body);
			return answer(id);
		}),
		serveEndpoint(removeEnvironment, async ({body}) => {
			await changeable(setup).remove(body.environment_id);
			return {status: 'success' as const};
		}),
	];
};
