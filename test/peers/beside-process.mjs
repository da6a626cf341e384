// JupyterLab's own client runs code in the kernel of a notebook that another program has open.
// Stdin: {url, token, path, code}; stdout: its findings as JSON.
import {json} from 'node:stream/consumers';
import services from '@jupyterlab/services';

// The client's log must not mix with the result on stdout.
for (const level of ['log', 'info', 'debug', 'warn']) console[level] = () => {};

const {KernelConnection, ServerConnection, SessionAPI} = services;
const {url, token, path, code} = await json(process.stdin);
const serverSettings = ServerConnection.makeSettings({
	baseUrl: url,
	wsUrl: url.replace(/^http/, 'ws'),
	token,
	appendToken: true,
});

// Requests a session for the path, as a front end does. Jupyter returns the existing session.
const session = await SessionAPI.startSession(
	{path, name: path, type: 'notebook', kernel: {name: 'python3'}},
	serverSettings,
);
const kernel = new KernelConnection({model: session.kernel, serverSettings});
const future = kernel.requestExecute({code});
let text = '';
future.onIOPub = ({header, content}) => {
	if (header.msg_type === 'stream') text += content.text;
	if (header.msg_type === 'execute_result') text += content.data['text/plain'];
};
const {content: reply} = await future.done;
kernel.dispose();
const sessions = (await SessionAPI.listRunning(serverSettings)).map(each => each.path).sort();
process.stdout.write(JSON.stringify({status: reply.status, text, sessions}));
process.exit(0);
