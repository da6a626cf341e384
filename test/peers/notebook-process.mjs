// JupyterLab's own client runs cells on a server and uses the other functions of a notebook. Stdin:
// {url, token, cells}; stdout: its observations as JSON.
import {json} from 'node:stream/consumers';
import services from '@jupyterlab/services';

// The client's log must not mix with the result on stdout.
for (const level of ['log', 'info', 'debug', 'warn']) console[level] = () => {};

const {ContentsManager, KernelManager, ServerConnection, SessionManager} = services;
const {url, token, cells} = await json(process.stdin);
const serverSettings = ServerConnection.makeSettings({
	baseUrl: url,
	wsUrl: url.replace(/^http/, 'ws'),
	token,
	appendToken: true,
});
const kernelManager = new KernelManager({serverSettings});
const sessions = new SessionManager({kernelManager, serverSettings});
const contents = new ContentsManager({serverSettings});
await sessions.ready;
const session = await sessions.startNew({
	path: 'prices.ipynb',
	name: 'prices.ipynb',
	type: 'notebook',
	kernel: {name: 'python3'},
});
const {kernel} = session;

const SHOWN = ['stream', 'display_data', 'execute_result', 'error'];
const run = async (code, {answer, onPrinted = () => {}} = {}) => {
	const outputs = [];
	const future = kernel.requestExecute({code, allow_stdin: answer !== undefined});
	future.onIOPub = ({header, content: {transient, ...content}}) => {
		if (SHOWN.includes(header.msg_type)) outputs.push({output_type: header.msg_type, ...content});
		if (header.msg_type === 'stream') onPrinted(content.text);
	};
	future.onStdin = ({header, content}) => {
		if (header.msg_type === 'input_request')
			future.sendInputReply({status: 'ok', value: answer + content.prompt}, header);
	};
	const {content} = await future.done;
	return {outputs, status: content.status, count: content.execution_count};
};

const result = {protocol: kernel.model.name, ran: []};
for (const code of cells) result.ran.push(await run(code));
result.input = await run('print(input("name? "))', {answer: 'to '});
result.complete = (await kernel.requestComplete({code: 'offers.app', cursor_pos: 10})).content.matches;
result.inspect = (await kernel.requestInspect({code: 'median', cursor_pos: 6, detail_level: 0})).content;
result.isComplete = (await kernel.requestIsComplete({code: 'for x in y:'})).content;
result.interrupted = await run('print("before")\nwhile True: pass', {
	onPrinted: () => void kernel.interrupt(),
});
await kernel.restart();
result.restarted = await run('"offers" in globals()');
const made = await contents.newUntitled({path: '', type: 'notebook'});
const saved = await contents.save(made.path, {
	type: 'notebook',
	format: 'json',
	content: {cells: [], metadata: {}, nbformat: 4, nbformat_minor: 5},
});
const point = await contents.createCheckpoint(made.path);
const renamed = await contents.rename(made.path, 'theirs.ipynb');
result.contents = {
	made: made.path,
	saved: saved.type,
	point: point.id,
	renamed: renamed.path,
	listed: (await contents.get('', {content: true})).content.map(({path}) => path),
};
await contents.delete('theirs.ipynb');
await session.shutdown();
result.kernelsLeft = (await services.KernelAPI.listRunning(serverSettings)).length;
process.stdout.write(JSON.stringify(result));
process.exit(0);
