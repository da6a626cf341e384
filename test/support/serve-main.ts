// The service as a separate process, by default with the tiny engine. Usage: `node serve-main.ts
// serve --data DIR [--port N] [--leased] [--engine pyodide|jupyter]`. The key is in
// TEST_SERVICE_KEY instead of SVC_API_KEY.
import {flushCompileCache} from 'node:module';
import {parseArgs} from 'node:util';
import {serveCommand} from '../../src/service/serve-command.ts';
import {createTinyEngine} from './tiny-engine.ts';

// Writes the compile cache now: normally that happens at the end, but a test may kill this process.
flushCompileCache();

const {values} = parseArgs({
	allowPositionals: true,
	options: {
		data: {type: 'string'},
		port: {type: 'string', default: '0'},
		leased: {type: 'boolean', default: false},
		host: {type: 'string'},
		engine: {type: 'string', default: 'tiny'},
	},
});

process.exit(
	await serveCommand({
		dataFolder: values.data ?? '',
		port: Number(values.port),
		leased: values.leased,
		host: values.host,
		apiKey: process.env['TEST_SERVICE_KEY'],
		openEngine: values.engine === 'tiny' ? async () => createTinyEngine() : undefined,
		engine: values.engine === 'jupyter' ? 'jupyter' : 'pyodide',
	}),
);
