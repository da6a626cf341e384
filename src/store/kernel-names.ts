import type {StateCreator} from 'zustand/vanilla';
import {EMPTY_REPL, runningCell, type CellsSlice} from './cells.ts';
import type {Deps} from './deps.ts';
import type {NoticesSlice} from './notices.ts';

export type KernelNamesSlice = {
	/** Servers whose kernel may be asked for names. */
	readonly kernelAsked: ReadonlySet<string>;
	/**
	 * Names that go on from what is typed (`np.lin`), as the kernel knows them. It runs a few lines there, so it is asked only when the user
	 * has allowed it: the first call for a server says so and allows it. A sentence: why there are none now.
	 */
	kernelNames(server: string, typed: string): Promise<readonly string[] | string>;
};

const MOST = 200;

/** Python that prints the names as JSON, and leaves none of its own behind. The typed text stands in it as a literal of JSON, which is one of Python's. */
const snippet = (typed: string): string =>
	`__import__('sys').stdout.write((lambda c, t: __import__('json').dumps([n for n in (c.complete(t, i) for i in range(${MOST})) if n]))(__import__('rlcompleter').Completer(), ${JSON.stringify(typed)}))\nNone`;

const namesIn = (text: string): readonly string[] => {
	const found: unknown = JSON.parse(text);
	return Array.isArray(found) ? [...new Set(found.filter(name => typeof name === 'string').map(name => name.replace(/\(.*$/s, '')))] : [];
};

export const createKernelNamesSlice = ({client}: Deps): StateCreator<KernelNamesSlice & CellsSlice & NoticesSlice, [], [], KernelNamesSlice> => (set, get) => ({
	kernelAsked: new Set(),
	async kernelNames(server, typed) {
		if (!get().kernelAsked.has(server)) {
			set({kernelAsked: new Set(get().kernelAsked).add(server)});
			return 'Only the kernel knows more: Tab again asks it, which runs a few lines there and counts as a cell';
		}
		const repl = get().repls.get(server) ?? EMPTY_REPL;
		if (runningCell(repl) !== undefined) return 'The kernel runs a cell now and can be asked afterwards';
		const reply = await (await client()).runCode(server, {code: snippet(typed), kernel_name: repl.kernel});
		const output = reply.ok ? reply.value.outputs.find(each => each.output_type === 'stream') : undefined;
		try {
			const text: unknown = output?.['text'];
			return namesIn(Array.isArray(text) ? text.join('') : typeof text === 'string' ? text : '');
		} catch {
			return 'The kernel did not answer with names';
		}
	},
});
