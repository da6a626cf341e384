import {themeCommand} from '../core/dialogs/theme.ts';
import {dialog, type Feature} from '../core/feature.ts';
import {hostDetails, hostList} from './dialogs/hosts.ts';
import {profileList} from './dialogs/profiles.ts';
import {SignIn, signInKeys} from './dialogs/sign-in.tsx';
import {sshHosts, type HostsState} from './hosts.ts';
import type {SignInForm} from './sign-in.ts';
import {chooseProfile, openSignIn} from '../core/ports.ts';
import {profileAccess, type ProfilesState} from './profiles.ts';
import {formSource} from '../core/store/draft-source.ts';
import type {State} from '../core/program.ts';
import {profileCommands} from './line-commands.ts';

declare module '../core/program.ts' {
	interface State extends ProfilesState, HostsState {}
	interface Scopes {
		signIn: true;
	}
	interface Dialogs {
		profiles: {};
		hosts: {};
		host: {host: string};
		'sign-in': {form: SignInForm};
	}
}

/** The open form, else the restored draft of a form. */
const signInIn = ({dialogs, keptSignIn}: State) =>
	dialogs.find(dialog => dialog.kind === 'sign-in')?.form ?? keptSignIn;

export const profiles: Feature = {
	parts: [
		profileAccess,
		sshHosts,
		chooseProfile.provide(app => profileAccess(app).chooseProfile()),
		openSignIn.provide(app => profileAccess(app).openSignIn()),
	],
	drafts: {
		'sign-in': formSource(
			signInIn,
			form => {
				// The form for a known service adds only a key, and keys are never saved in drafts.
				if ('fields' in form && form.keyFile !== null) return null;
				const {address, profile} =
					'fields' in form ? {address: form.fields.address.text, profile: form.fields.profile.text} : form;
				return address === '' ? null : {address, profile};
			},
			(state, {address = '', profile = ''}) => profileAccess(state.app).keepSignIn({address, profile}),
		),
	},
	keys: {signIn: signInKeys},
	commands: [...profileCommands, themeCommand],
	dialogs: [profileList, hostList, hostDetails, dialog({kind: 'sign-in', scope: 'signIn', Dialog: SignIn})],
};
