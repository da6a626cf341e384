import {chats} from './assistant.ts';
import * as cells from './cells.ts';
import * as compute from './compute.ts';
import * as environments from './environments.ts';
import type {Exchange} from './exchange.ts';
import * as files from './files.ts';
import * as servers from './servers.ts';

/** Every endpoint of the API, once. */
export const transcripts: readonly Exchange[] = [
	servers.create,
	servers.start,
	servers.list,
	compute.list,
	environments.list,
	files.upload,
	files.get,
	cells.run,
	...chats,
];
