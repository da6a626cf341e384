import {dialog, type Room} from '../core/room.ts';
import {profileList} from './dialogs/profiles.ts';
import {signIn, SignIn} from './dialogs/sign-in.tsx';
import {profileKeys} from './keys.ts';
import type {SignInForm} from './sign-in.ts';
import {profileCommands} from './line-commands.ts';

type Keys = typeof profileKeys;

declare module '../core/program.ts' {
	interface Keymap extends Keys {}
	interface Dialogs {
		profiles: {};
		'sign-in': {form: SignInForm};
	}
}

export const profiles: Room = {
	keys: profileKeys,
	commands: profileCommands,
	dialogs: [profileList, dialog({kind: 'sign-in', scope: 'signIn', handlers: {signIn}, Dialog: SignIn})],
};
