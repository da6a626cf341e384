// State that is shown for a kernel that Jupyter lists as starting. Jupyter may have missed the
// kernel's messages.
import {expect, test} from 'vitest';
import {createKernels} from '../../../src/api/live/kernels.ts';
import {REPL} from '../../support/sessions.ts';

const listed = async (
	execution_state: string,
	connections: number,
	heard: 'busy' | 'idle' | null,
): Promise<string | null | undefined> => {
	const kernels = createKernels({
		rest: async (_, path) =>
			Promise.resolve({
				status: 200,
				json: path.startsWith('kernels') ? [{id: 'k', name: 'python3', execution_state, connections}] : [],
			}),
		load: async () => Promise.resolve(null),
		find: async () => Promise.resolve(null),
		current: async () => Promise.resolve(null),
		use: () => undefined,
		heardState: async () => Promise.resolve(heard),
		hears: async () => true,
		async end() {},
		linked: async () => Promise.resolve(() => undefined),
	});
	const reply = await kernels.list(REPL);
	return reply.ok ? reply.value[0]?.state : undefined;
};

test.each([
	['starting', 1, 'idle', 'idle'],
	['starting', 1, 'busy', 'busy'],
	['starting', 1, null, 'starting'],
	['starting', 0, null, null],
	['starting', 0, 'idle', 'idle'],
	['busy', 1, 'idle', 'busy'],
	['dead', 1, 'idle', 'dead'],
] as const)(
	'Jupyter says %s to %i connections, the kernel said %s: %s',
	async (said, connections, heard, shown) => {
		expect(await listed(said, connections, heard)).toBe(shown);
	},
);
