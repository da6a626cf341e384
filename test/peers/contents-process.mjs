// JupyterLab's own drive reads and writes files of a server: {url, apiKey, server, steps} on stdin, what each step gave as JSON on stdout.
// A step is [method of the drive, ...arguments], or ['validate', model]. The drive asks a Jupyter server's `/api/contents/PATH`: here
// its requests go to the interface's address, and what the envelope holds (`content`, or `error`) comes back.
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
