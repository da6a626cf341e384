import {readStartupSettings} from '../settings/startup-settings.ts';
import {openServiceStorage, type ServiceStorage} from '../storage/service-storage.ts';
import {paths} from '../machine/paths.ts';
import type {Context} from './context.ts';

/** Local storage for the service that a command uses. */
export const storageFor = ({options, env}: Pick<Context, 'options' | 'env'>): ServiceStorage => {
	const seen = readStartupSettings(options, env);
	return openServiceStorage(paths().state, seen.service, seen);
};
