import type {LineCommand} from '../core/feature.ts';
import {sshHosts} from './hosts.ts';
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
		name: 'hosts',
		does: 'Show, add and remove SSH hosts',
		run: ({get}) =>
			get().isLocal ? sshHosts(get).openHosts() : 'Only the service on this machine reaches hosts over SSH',
	},
	{
		name: 'login',
		argument: '[profile]',
		does: 'Sign in to a service',
		run: ({get}, argument) => profileAccess(get).openSignIn(argument || undefined),
	},
];
