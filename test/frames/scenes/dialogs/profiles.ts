import {newSignIn, type SignInForm} from '../../../../src/tui/profiles/sign-in.ts';
import type {Dialog} from '../../../../src/tui/core/program.ts';
import {createEditor} from '../../../../src/text/editor/editor.ts';
import type {Parts} from './part.ts';
import {profileAccess} from '../../../../src/tui/profiles/profiles.ts';

const signIn = (changes: Partial<SignInForm> = {}): Dialog => ({
	kind: 'sign-in',
	form: {...newSignIn({profile: '', keyFile: null}), ...changes},
});
export const profilesDialogs = {
	profiles: [
		{state: 'empty', open: {kind: 'profiles'}},
		{state: 'full', arrive: store => profileAccess(store.getState).loadProfiles(), open: {kind: 'profiles'}},
	],
	'sign-in': [
		{state: 'empty', open: signIn()},
		{
			state: 'checking',
			open: signIn({
				...newSignIn({address: 'https://nb.example', profile: 'work', keyFile: null}),
				checking: true,
			}),
		},
		{
			state: 'full',
			open: signIn({
				...newSignIn({address: 'https://nb.example', profile: 'work', keyFile: null}),
				keyPage: {of: 'https://nb.example', page: 'https://hub.nb.example/hub/token'},
			}),
		},
		{
			state: 'failed',
			open: signIn({
				...newSignIn({address: 'https://nb.example', profile: 'work', keyFile: null}),
				fields: {
					address: createEditor('https://nb.example'),
					profile: createEditor('work'),
					key: createEditor('0123456789abcdef'),
				},
				keyPage: {of: 'https://nb.example', page: 'https://hub.nb.example/hub/token'},
				refusal: 'nb.example rejected the API key (401).',
			}),
		},
	],
} satisfies Parts;
