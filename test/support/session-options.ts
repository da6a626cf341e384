import type {SessionOptions} from '../../src/engines/engine.ts';

/** What a session on this folder is opened with, where a test cares for nothing else. */
export const sessionOptions = (root: string): SessionOptions => ({
	root,
	environment: 'ai',
	server: {name: 'lab', user: 'ann@example.com', port: 8888},
	compute: {cpus: 1, memory: 0, gpus: 0},
});
