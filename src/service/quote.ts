import type {ComputeOption} from '../contract/compute.ts';
import type {Catalogue} from './catalogue/catalogue.ts';
import {ServiceFault} from './fault.ts';
import type {Settings} from './registry.ts';

/** The compute option of settings that can be had now. @throws {ServiceFault} 400 or 409 for those that cannot. */
export const quote = (catalogue: Catalogue, {environment, port, server_request}: Settings): ComputeOption => {
	if (!catalogue.environments.some(known => known.environment_id === environment)) throw new ServiceFault(400, `There is no environment ${JSON.stringify(environment)}; GET /api/environments lists them.`);
	if (port < 1 || port > 65_535) throw new ServiceFault(400, 'The port must be a number from 1 to 65535.');
	const option = catalogue.find(server_request);
	if (!option) throw new ServiceFault(400, `There is no compute option ${JSON.stringify(server_request)}; GET /api/compute lists them.`);
	if (!option.availability.some(region => region.available)) throw new ServiceFault(409, `${option.name} (${server_request}) is not available now; choose another compute option.`);
	return option;
};
