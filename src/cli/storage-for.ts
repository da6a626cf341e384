import {readStartupSettings} from '../settings/startup-settings.ts';
import {openServiceStorage, type ServiceStorage} from '../storage/service-storage.ts';
import {paths} from '../machine/paths.ts';
import type {Context} from './context.ts';

/** What is kept on this machine of the service that a command means. */
export const storageFor = ({options, env}: Pick<Context, 'options' | 'env'>): ServiceStorage => {
	const seen = readStartupSettings(options, env);
	return openServiceStorage(paths().state, seen.service, seen);
};
