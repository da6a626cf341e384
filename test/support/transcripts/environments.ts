import type {Exchange} from './exchange.ts';

export const list: Exchange = {
	section: '4.5',
	method: 'GET',
	path: '/api/environments',
	body: undefined,
	status: 200,
	answer: {
		json: {
			environments: [
				{
					environment_id: 'ai',
					name: 'AI',
					description: 'Python with the usual libraries for machine learning.',
				},
			],
			status: 'success',
		},
	},
};
