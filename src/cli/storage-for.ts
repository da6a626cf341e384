import {glance} from '../settings/startup-settings.ts';
import {openKeeper, type Keeper} from '../storage/service-storage.ts';
import {paths} from '../machine/paths.ts';
import type {Context} from './context.ts';

/** What is kept on this machine of the service that a command means. */
export const keeperFor = ({options, env}: Pick<Context, 'options' | 'env'>): Keeper => {
	const seen = glance(options, env);
	return openKeeper(paths().state, seen.service, seen);
};
