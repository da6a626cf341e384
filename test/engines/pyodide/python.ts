import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {CellOutput} from '../../../src/contract/cells.ts';
import type {Session} from '../../../src/engines/engine.ts';
import {createPyodideEngine, type PyodideOptions} from '../../../src/engines/pyodide/pyodide-engine.ts';
import {share} from '../../support/share.ts';
import {sessionOptions} from '../../support/session-options.ts';

export type Python = AsyncDisposable & {
	readonly root: string;
	readonly session: Session;
	run(code: string, signal?: AbortSignal): Promise<readonly CellOutput[]>;
};

/** Opens a session of the real engine on a separate folder. It ends with its scope. */
export const openPython = async (options: PyodideOptions = {}): Promise<Python> => {
	const engine = createPyodideEngine(options);
	const root = await mkdtemp(join(tmpdir(), 'svc-tui-python-'));
	const session = await engine.open(sessionOptions(root));
	return {
		root,
		session,
		async run(code, signal) {
			const {outputs} = await session.run(code, {kernel: 'python3', ...(signal && {signal})});
			return outputs;
		},
		async [Symbol.asyncDispose]() {
			await session.close();
			await engine.close();
			await rm(root, {recursive: true, force: true});
		},
	};
};

/** Session that the tests of a file share, if their cells do not affect each other. */
export const sharePython = (): (() => Promise<Python>) => share(async stack => stack.use(await openPython()));

/** Text that the cell printed to a stream. */
export const printed = (outputs: readonly CellOutput[], name: 'stdout' | 'stderr' = 'stdout'): string =>
	outputs
		.filter(output => output['name'] === name)
		.map(output => String(output['text']))
		.join('');

export const value = (outputs: readonly CellOutput[]): string | undefined => {
	const result = outputs.find(({output_type}) => output_type === 'execute_result');
	return result && (result['data'] as Record<string, string>)['text/plain'];
};

export const errorName = (outputs: readonly CellOutput[]): unknown => outputs.at(-1)?.['ename'];
export const traceback = (outputs: readonly CellOutput[]): string =>
	((outputs.at(-1)?.['traceback'] as readonly string[] | undefined) ?? []).join('\n');
