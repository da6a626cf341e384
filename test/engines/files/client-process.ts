// Process that reads and writes files in the folder of its argument. Tests run it as another user,
// or kill it during a write.
import {createInterface} from 'node:readline';
import {FileFault} from '../../../src/engines/files.ts';
import {folderFiles} from '../../../src/engines/folder-files.ts';

const files = folderFiles(process.argv[2] ?? '');

if (process.argv[3] === 'write-forever') {
	console.log('writing');
	for (let turn = 0; ; turn++)
		await files.put('data.txt', {
			type: 'file',
			format: 'text',
			content: (turn % 2 === 0 ? 'a' : 'b').repeat(300_000),
		});
}

for await (const line of createInterface({input: process.stdin})) {
	const {method, path} = JSON.parse(line) as {method: 'get' | 'put'; path: string};
	const outcome =
		method === 'get' ? files.get(path) : files.put(path, {type: 'file', format: 'text', content: 'new'});
	console.log(
		JSON.stringify(
			await outcome.then(
				entry => ({entry}),
				(error: unknown) => {
					if (error instanceof FileFault) return {status: error.status, message: error.message};
					throw error;
				},
			),
		),
	);
}
