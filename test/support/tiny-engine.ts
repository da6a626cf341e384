import type {Engine, Session} from '../../src/engines/engine.ts';
import {UnknownKernelError} from '../../src/engines/engine.ts';
import type {CellOutput} from '../../src/contract/cells.ts';

/**
 * An engine for a language of five statements, one in each line: `NAME = NUMBER`, `print NAME`,
 * `raise ENAME EVALUE`, `wait` (until interrupted), `die`. Variables remain between cells.
 */
export type TinyEngine = Engine & {
	/** Open sessions by folder. */
	readonly sessions: ReadonlyMap<string, unknown>;
	/** Number of runs that are waiting at a `wait`. */
	readonly waiting: () => number;
	/** Ends every `wait`. */
	readonly release: () => void;
	readonly closed: () => boolean;
	/** Sources of the cells, in the order in which they started. */
	readonly ran: readonly string[];
};

const failure = (ename: string, evalue: string): CellOutput => ({
	output_type: 'error',
	ename,
	evalue,
	traceback: [`${ename}: ${evalue}`],
});

export const createTinyEngine = ({
	opening = Promise.resolve(),
}: {
	/** Sessions open only after this promise has resolved. */
	readonly opening?: Promise<void>;
} = {}): TinyEngine => {
	const sessions = new Map<string, unknown>();
	const waits = new Set<() => void>();
	const ran: string[] = [];
	let closed = false;

	const openSession = (root: string): Session => {
		const names = new Map<string, number>();
		const ended = Promise.withResolvers<string>();
		let count = 0;
		const step = async (line: string, signal: AbortSignal | undefined): Promise<CellOutput | undefined> => {
			const [first = '', second = '', ...rest] = line.trim().split(/\s+/);
			if (second === '=') {
				names.set(first, Number(rest[0]));
				return undefined;
			}
			if (first === 'print')
				return {output_type: 'stream', name: 'stdout', text: `${names.get(second) ?? '?'}\n`};
			if (first === 'raise') return failure(second, rest.join(' '));
			if (first === 'die') {
				sessions.delete(root);
				ended.resolve('Its Python ended.');
				return failure('DeadKernelError', 'the kernel died');
			}
			const interrupted = await new Promise<boolean>(resolve => {
				const go = (): void => resolve(false);
				waits.add(go);
				signal?.addEventListener(
					'abort',
					() => {
						waits.delete(go);
						resolve(true);
					},
					{once: true},
				);
			});
			return interrupted ? failure('KeyboardInterrupt', '') : undefined;
		};
		sessions.set(root, names);
		return {
			lookup: {
				pydoc: async name =>
					name === 'len' ? 'len(obj, /)\n    Return the number of items in a container.\n' : null,
				packages: async () => ({python: '0.5', installed: []}),
				outline: async () => ({items: [], imports: [], error: null}),
			},
			ended: ended.promise,
			async run(code, {kernel, signal}) {
				if (kernel !== 'python3') throw new UnknownKernelError(`There is no kernel "${kernel}" here.`);
				ran.push(code);
				count++;
				const outputs: CellOutput[] = [];
				for (const line of code.split('\n')) {
					const output = await step(line, signal);
					if (output) outputs.push(output);
					if (output?.output_type === 'error') break;
				}
				return {execution_count: count, outputs};
			},
			async close() {
				sessions.delete(root);
			},
		};
	};

	return {
		name: 'pyodide',
		async open({root}) {
			await opening;
			return openSession(root);
		},
		async close() {
			closed = true;
		},
		sessions,
		waiting: () => waits.size,
		release() {
			for (const go of waits) go();
			waits.clear();
		},
		closed: () => closed,
		ran,
	};
};
