// JupyterLab's own client opens a Jupyter server. Stdin: {url, token, path, save, code}; stdout:
// its findings as JSON, or {refused: status}.
import {json} from 'node:stream/consumers';
import services from '@jupyterlab/services';

// The client's log must not mix with the result on stdout.
for (const level of ['log', 'info', 'debug', 'warn']) console[level] = () => {};

const {Drive, KernelAPI, KernelConnection, KernelSpecAPI, ServerConnection, SessionAPI} = services;
const {url, token, path, save, code} = await json(process.stdin);
const serverSettings = ServerConnection.makeSettings({
	baseUrl: url,
	wsUrl: url.replace(/^http/, 'ws'),
	token,
	appendToken: true,
});

const look = async () => {
	const drive = new Drive({serverSettings});
	const {kernelspecs} = await KernelSpecAPI.getSpecs(serverSettings);
	const file = await drive.get(path);
	await drive.save(save.path, {type: 'file', format: 'text', content: save.content});
	const sessions = await SessionAPI.listRunning(serverSettings);
	const kernels = await KernelAPI.listRunning(serverSettings);

	const kernel = new KernelConnection({model: sessions[0].kernel, serverSettings});
	const outputs = [];
	const future = kernel.requestExecute({code});
	future.onIOPub = ({header, content}) => {
		if (header.msg_type !== 'status' && header.msg_type !== 'execute_input')
			outputs.push([header.msg_type, content.text ?? content.data ?? content.evalue]);
	};
	const {content: reply} = await future.done;
	kernel.dispose();
	return {kernelspecs: Object.keys(kernelspecs), file, sessions, kernels, outputs, reply: reply.status};
};

process.stdout.write(
	JSON.stringify(await look().catch(error => ({refused: error.response?.status ?? error.message}))),
);
process.exit(0);
