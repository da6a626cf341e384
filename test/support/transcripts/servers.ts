import type {Exchange} from './exchange.ts';

export const create: Exchange = {
	section: '4.1',
	method: 'POST',
	path: '/api/servers',
	body: {environment: 'ai', port: 8888, server_name: 'trainer', server_request: 'svc-medium'},
	status: 202,
	answer: {
		json: {
			assistant_editor_url: 'https://editor.example/trainer',
			environment: 'ai',
			hourly_rate: 0.1,
			port: 8888,
			port_forward_url: 'pending',
			server_name: 'trainer',
			server_request: 'svc-medium',
			status: 'success',
			url: 'https://lab.example/user/user@example.org/trainer/',
		},
	},
};

export const start: Exchange = {
	section: '4.2',
	method: 'POST',
	path: '/api/servers/welcome/start',
	body: {environment: 'ai', port: 8888, server_request: 'svc-medium'},
	status: 200,
	answer: {
		json: {
			assistant_editor_url: 'https://editor.example/welcome',
			environment: 'ai',
			hourly_rate: 0.1,
			message: 'Notebook server welcome started',
			port: 8888,
			port_forward_url: 'https://forward.example',
			server_name: 'welcome',
			server_request: 'svc-medium',
			status: 'success',
			token: null,
			url: 'https://lab.example/user/user@example.org/welcome/',
		},
	},
};

export const list: Exchange = {
	section: '4.3',
	method: 'GET',
	path: '/api/servers',
	body: undefined,
	status: 200,
	answer: {
		json: {
			servers: [
				{
					assistant_editor_url: 'https://editor.example/welcome',
					environment: 'ai',
					name: 'welcome',
					port: 8888,
					port_forward_url: 'https://forward.example',
					server_request: 'svc-medium',
					status: 'offline',
					thumb: '/static/ai.png',
					token: null,
					url: 'https://lab.example/user/user@example.org/welcome/',
				},
				{
					assistant_editor_url: 'https://editor.example/big',
					environment: 'ai',
					name: 'big',
					port: 8889,
					port_forward_url: 'https://forward.example',
					server_request: 'host-H100x8',
					status: 'ready',
					thumb: '/static/ai.png',
					token: '0123abcd',
					url: 'https://lab.example/user/user@example.org/big/?token=0123abcd',
				},
			],
			status: 'success',
		},
	},
};
