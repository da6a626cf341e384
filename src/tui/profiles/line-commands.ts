import type {LineCommand} from '../core/feature.ts';
import {profileAccess} from './profiles.ts';

export const profileCommands: readonly LineCommand[] = [
	{
		name: 'profile',
		argument: '[name]',
		does: 'Switch to another profile',
		suggest: state => (state.profiles ?? []).flatMap(({name}) => (name === null ? [] : [name])),
		run: ({get}, argument) =>
			argument === '' ? profileAccess(get).chooseProfile() : profileAccess(get).switchProfile(argument),
	},
	{
		name: 'login',
		argument: '[profile]',
		does: 'Sign in to a service',
		run: ({get}, argument) => profileAccess(get).openSignIn(argument || undefined),
	},
];
