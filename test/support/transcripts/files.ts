import type {Exchange} from './exchange.ts';

export const upload: Exchange = {
	section: '4.6',
	method: 'PUT',
	path: '/api/servers/welcome/files/note.txt',
	body: {content: 'text', format: 'text', type: 'file'},
	status: 200,
	answer: {
		json: {
			content: {
				name: 'note.txt',
				path: 'note.txt',
				serverPath: 'note.txt',
				type: 'file',
				format: null,
				content: null,
				mimetype: 'text/plain',
				size: 4,
				created: '2024-04-01T09:30:00.123456Z',
				last_modified: '2024-04-01T09:30:00.123456Z',
				writable: true,
			},
			status: 'success',
		},
	},
};

export const get: Exchange = {
	section: '4.7',
	method: 'GET',
	path: '/api/servers/welcome/files/note.txt',
	body: undefined,
	status: 200,
	answer: {
		json: {
			content: {
				name: 'note.txt',
				path: 'note.txt',
				serverPath: 'note.txt',
				type: 'file',
				format: 'text',
				content: 'text',
				mimetype: 'text/plain',
				size: 4,
				created: '2024-04-01T09:30:00.123456Z',
				last_modified: '2024-04-01T09:30:00.123456Z',
				writable: true,
			},
			status: 'success',
		},
	},
};
