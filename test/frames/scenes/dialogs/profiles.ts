import type {HostItem} from '../../../../src/contract/hosts.ts';
import {newSignIn, type SignInForm} from '../../../../src/tui/profiles/sign-in.ts';
import type {Dialog} from '../../../../src/tui/core/program.ts';
import {createEditor} from '../../../../src/text/editor/editor.ts';
import type {Parts} from './part.ts';
import {profileAccess} from '../../../../src/tui/profiles/profiles.ts';

const signIn = (changes: Partial<SignInForm> = {}): Dialog => ({
	kind: 'sign-in',
	form: {...newSignIn({profile: '', keyFile: null}), ...changes},
});
const CLUSTER: HostItem = {
	state: 'connected',
	...{host: 'cluster', reason: null, probed_at: '2026-11-28T12:00:00.000Z'},
	facts: {
		...{machine: 'login1', home: '/home/ada', system: 'Linux', user: 'ada', cpus: 64, memory: 251},
		gpus: [{model: 'A100', count: 2, vram: 80}],
		pythons: [
			{path: '/usr/bin/python3', version: '3.11.2', jupyter: '2.14.0', ipykernel: '6.29.5'},
			{path: '/opt/python/3.9/bin/python3', version: '3.9.18', jupyter: null, ipykernel: null},
		],
		...{tools: ['sbatch', 'uv'], writable: true},
		slurm: {
			...{version: 'slurm 22.05.8', error: null, at: 0},
			partitions: [
				{
					...{name: 'gpu', is_default: true, is_up: true, limit: 1440, usual_limit: 60},
					...{waiting: 7, next_start: null, reason: ''},
					kinds: [{gpu: 'a100', gpus: 4, cpus: 64, memory: 512, nodes: 4, total: 16, free: 0}],
				},
				{
					...{name: 'long', is_default: false, is_up: false, limit: null, usual_limit: null},
					...{waiting: null, next_start: null, reason: '', kinds: []},
				},
			],
		},
	},
	...{compute: ['cluster-gpu-a100x1'], environments: ['cluster-python3']},
};
const AWAY: HostItem = {
	state: 'unreachable',
	...{host: 'lab', reason: 'lab cannot be reached: connection timed out.'},
	...{probed_at: null, facts: null, compute: [], environments: []},
};
export const profilesDialogs = {
	profiles: [
		{state: 'empty', open: {kind: 'profiles'}},
		{state: 'full', arrive: store => profileAccess(store.getState).loadProfiles(), open: {kind: 'profiles'}},
	],
	hosts: [
		{
			state: 'full',
			arrive: store => store.setState({hosts: {hosts: [CLUSTER, AWAY], aliases: ['workstation', 'router']}}),
			open: {kind: 'hosts'},
		},
		{
			state: 'empty',
			arrive: store => store.setState({hosts: {hosts: [], aliases: []}}),
			open: {kind: 'hosts'},
		},
	],
	host: [
		{
			state: 'full',
			arrive: store => store.setState({hosts: {hosts: [CLUSTER], aliases: []}}),
			open: {kind: 'host', host: 'cluster'},
		},
		{
			state: 'connecting',
			arrive: store => store.setState({connecting: {host: 'lab', failure: null}}),
			open: {kind: 'host', host: 'lab'},
		},
		{
			state: 'failed',
			arrive: store => store.setState({hosts: {hosts: [AWAY], aliases: []}}),
			open: {kind: 'host', host: 'lab'},
		},
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
				ways: {of: 'https://nb.example', page: 'https://hub.nb.example/hub/token', hasBrowser: false},
			}),
		},
		{
			state: 'browser',
			open: signIn({
				...newSignIn({address: 'https://nb.example', profile: 'work', keyFile: null}),
				ways: {of: 'https://nb.example', page: 'https://hub.nb.example/hub/token', hasBrowser: true},
			}),
		},
		{
			state: 'waiting',
			open: signIn({
				...newSignIn({address: 'https://nb.example', profile: 'work', keyFile: null}),
				ways: {of: 'https://nb.example', page: 'https://hub.nb.example/hub/token', hasBrowser: true},
				checking: true,
				browser: {
					address: `https://nb.example/local/sign-in?port=40713&challenge=${'x'.repeat(43)}`,
					mark: '4F1C-0A2B',
					isOpened: false,
				},
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
				ways: {of: 'https://nb.example', page: 'https://hub.nb.example/hub/token', hasBrowser: false},
				refusal: 'nb.example rejected the API key (401).',
			}),
		},
	],
} satisfies Parts;
