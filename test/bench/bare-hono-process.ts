// Baseline: Hono without our code, which answers each request for the list of servers with the
// bytes of a file. Usage: `node bare-hono-process.ts FILE`. Prints its port.
import {readFileSync} from 'node:fs';
import {serve} from '@hono/node-server';
import {Hono} from 'hono';

const [, , file = ''] = process.argv;
const body = readFileSync(file, 'utf8');
const app = new Hono();
app.get('/api/servers', context => context.body(body, 200, {'content-type': 'application/json'}));
serve({fetch: app.fetch, port: 0, hostname: '127.0.0.1'}, ({port}) => console.log(port));
