import type {ComputeOption} from '../../src/contract/compute.ts';
import type {ServerItem} from '../../src/contract/servers.ts';
import type {Cell} from '../../src/tui/cells/cell.ts';
import type {Listing, Remote} from '../../src/tui/core/store/remote.ts';
import type {Turn} from '../../src/tui/assistant/conversations.ts';

export const server = (changes: Partial<ServerItem> = {}): ServerItem => ({
	name: 'welcome',
	environment: 'ai',
	port: 8888,
	server_request: 'svc-medium',
	status: 'ready',
	url: 'http://127.0.0.1:1/user/a/welcome/',
	assistant_editor_url: null,
	port_forward_url: null,
	thumb: null,
	token: null,
	...changes,
});

export const offer = (changes: Partial<ComputeOption> = {}): ComputeOption => ({
	name: 'A100 80G (1x)',
	cloud_host: 'lambdalabs',
	compute_id: 'lambdalabs-A100_80Gx1',
	cpus: 8,
	memory: '64G',
	num_gpus: 1,
	vram_per_gpu: '80G',
	total_vram: '80G',
	hourly_price: 1.5,
	availability: [
		{available: true, region: 'any'},
		{available: false, region: 'Any'},
	],
	...changes,
});

export const ready = <T>(items: readonly T[], unreadable = 0): Remote<Listing<T>> => ({
	status: 'ready',
	value: {items, unreadable, raw: items},
	at: 0,
});

export const cell = (changes: Partial<Cell> = {}): Cell => ({
	id: 1,
	source: '1+1',
	state: 'done',
	startedAt: 0,
	endedAt: 40,
	result: null,
	failure: null,
	pictures: new Map(),
	earlier: null,
	...changes,
});

export const turn = (changes: Partial<Turn> = {}): Turn => ({
	id: 1,
	question: 'what is in a.py?',
	model: 'model_2',
	answer: '',
	reasoning: '',
	state: 'waiting',
	failure: null,
	finishReason: null,
	leftOut: '',
	usage: null,
	askedAt: 0,
	firstTextAt: null,
	notes: null,
	carried: [],
	replaced: false,
	runs: [],
	...changes,
});
