import type {SessionOptions} from '../../src/engines/engine.ts';

/** Default options of a session on this folder. */
export const sessionOptions = (root: string): SessionOptions => ({
	root,
	environment: 'ai',
	server: {name: 'lab', user: 'ann@example.com', port: 8888},
	compute: {cpus: 1, memory: 0, gpus: 0},
});
