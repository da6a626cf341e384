import {readFile} from 'node:fs/promises';
import {fileURLToPath} from 'node:url';
import * as z from 'zod';
import {createInOrder} from '../in-order.ts';
import {createLookup, type LookupProcess} from '../lookup.ts';
import {connectKernel} from './kernel.ts';
import {callJupyter, type JupyterAddress} from './rest.ts';

// The build puts all files into the same folder.
const SOURCE = fileURLToPath(
	new URL(import.meta.url.endsWith('.ts') ? '../pyodide/lookup.py' : './lookup.py', import.meta.url),
);

const started = z.object({id: z.string()});

/** Look-ups that run in a separate kernel of the server, with the server's own Python. */
export const createKernelLookup = (server: JupyterAddress): ReturnType<typeof createLookup> =>
	createLookup(async (signal): Promise<LookupProcess> => {
		const {status, json} = await callJupyter(server, 'POST', 'api/kernels', {
			body: {name: 'python3', path: ''},
			signal,
		});
		if (status !== 201) throw new Error(`the kernel python3 could not be started (status ${status})`);
		const {id} = started.parse(json);
		const kernel = await connectKernel(server, id);
		const exited = Promise.withResolvers<undefined>();
		const kill = async (): Promise<void> => {
			kernel.close();
			exited.resolve(undefined);
			await callJupyter(server, 'DELETE', `api/kernels/${id}`).catch(() => undefined);
		};
		signal.addEventListener('abort', () => void kill(), {once: true});
		const inOrder = createInOrder();
		const execute = (source: string): Promise<string> =>
			inOrder(id, async () => {
				const {kind} = await kernel.execute(source);
				const output = kernel.buffer.take().at(-1);
				if (kind === 'done' && output?.output_type !== 'error') return String(output?.['text'] ?? '');
				await kill();
				throw new Error(`the kernel could not reply (${kind})`);
			});
		await execute(await readFile(SOURCE, 'utf8'));
		return {
			exited: exited.promise,
			kill,
			ask: (question, argument) =>
				execute(`print(ask(${JSON.stringify(question)}, ${pythonText(argument)}))`),
		};
	});

/**
 * Python string literal. JSON's escapes are valid in Python, and JSON.stringify does not escape
 * characters beyond U+FFFF.
 */
const pythonText = (text: string): string => JSON.stringify(text.toWellFormed());
