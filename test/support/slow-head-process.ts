// An assistant in a separate process. It sends the header of its response at once, and the rest a
// moment later. The answer contains the length of the question.
import http from 'node:http';
import type {AddressInfo} from 'node:net';

const server = http.createServer((request, response) => {
	let bytes = 0;
	request
		.on('data', (piece: Buffer) => (bytes += piece.length))
		.on('end', () => {
			response.writeHead(200, {'content-type': 'text/plain'}).flushHeaders();
			setTimeout(() => response.end(`0:"${bytes}"\n`), 5);
		});
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.once('disconnect', () => process.exit());
