import type {Exchange} from './exchange.ts';

export const run: Exchange = {
	section: '4.8',
	method: 'POST',
	path: '/api/servers/welcome/run-code',
	body: {code: 'print("hello")', kernel_name: 'python3'},
	status: 200,
	answer: {
		json: {
			content: {
				cell_type: 'code',
				execution_count: 1,
				metadata: {},
				source: 'print("hello")',
				outputs: [{name: 'stdout', output_type: 'stream', text: 'hello\n'}],
			},
			status: 'success',
		},
	},
};
