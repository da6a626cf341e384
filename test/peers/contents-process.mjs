// JupyterLab's own drive reads and writes files of a server. Stdin: {url, apiKey, server, steps};
// stdout: the result of each step as JSON. A step is [method of the drive, ...arguments], or
// ['validate', model].
// The drive sends requests to `/api/contents/PATH` of a Jupyter server. This program sends them to
// our API instead, and returns the content of the response (`content` or `error`).
import {json} from 'node:stream/consumers';
import services from '@jupyterlab/services';

const {Drive, ServerConnection} = services;
const {url, apiKey, server, steps} = await json(process.stdin);

const viaInterface = async request => {
	const path = new URL(request.url).pathname.replace(/^\/api\/contents\/?/, '');
	const response = await fetch(`${url}/api/servers/${server}/files/${path}`, {
		method: request.method,
		headers: {apiKey, ...(request.method === 'PUT' && {'content-type': 'application/json'})},
		...(request.method === 'PUT' && {body: await request.text()}),
	});
	const {content, error} = await response.json();
	return Response.json(response.ok ? content : error, {status: response.status});
};

const drive = new Drive({
	serverSettings: ServerConnection.makeSettings({
		baseUrl: url,
		wsUrl: 'ws://127.0.0.1',
		token: '',
		init: {},
		fetch: viaInterface,
	}),
});
const {validateContentsModel} = services.Contents;

const results = [];
for (const [method, ...values] of steps) {
	try {
		results.push({
			model:
				method === 'validate' ? (validateContentsModel(...values) ?? null) : await drive[method](...values),
		});
	} catch (error) {
		results.push({error: error.message, ...(error.response && {status: error.response.status})});
	}
}

process.stdout.write(JSON.stringify(results));
process.exit(0);
