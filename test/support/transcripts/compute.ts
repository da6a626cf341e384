import type {Exchange} from './exchange.ts';

export const list: Exchange = {
	section: '4.4',
	method: 'GET',
	path: '/api/compute',
	body: undefined,
	status: 200,
	answer: {
		json: {
			compute: [
				{
					name: 'Medium CPU',
					cloud_host: 'svc',
					cpus: 2,
					memory: '8G',
					num_gpus: 0,
					vram_per_gpu: '0G',
					total_vram: '0G',
					hourly_price: 0.1,
					availability: [{available: true, region: 'default'}],
				},
				{
					name: 'H100 (8x)',
					cloud_host: 'host',
					compute_id: 'host-H100x8',
					cpus: 208,
					memory: '1800G',
					num_gpus: 8,
					vram_per_gpu: '80G',
					total_vram: '640G',
					hourly_price: 23.92,
					availability: [
						{available: true, region: 'eu-west'},
						{available: false, region: 'EU-West'},
					],
				},
			],
			status: 'success',
		},
	},
};
