import {kernelsOf as kernelsIn} from '../../../query/kernel-names.ts';
import {keyFor} from '../../../text/key-name.ts';
import type {CodeField} from '../help/code-field.ts';
import type {EnvironmentsState} from '../../environments/environments.ts';
import {findServer, type ServersState} from '../../servers/servers.ts';
import {part, type App} from '../../core/app.ts';

export type KernelNamesState = {
	/** Servers on which the user has allowed asking the kernel for names. */
	readonly kernelAsked: ReadonlySet<string>;
};

export type KernelLookup = {
	/**
	 * Names from the kernel that continue the typed text (`np.lin`). This runs a few lines of code,
	 * so the user must allow it: the first call for a server returns a sentence that asks, and a
	 * second call counts as permission. Also a sentence if there are no names now.
	 */
	kernelNames(field: CodeField, typed: string): Promise<readonly string[] | string>;
};

const MOST = 200;

/** Kernels of a server's environment; undefined if the service does not report them. */
export const kernelsOf = (
	state: Pick<EnvironmentsState & ServersState, 'environments' | 'servers'>,
	server: string,
): readonly string[] | undefined =>
	kernelsIn(state.environments.value?.items, findServer(state, server)?.environment);

/**
 * Python code that prints the names as JSON and creates no variable. The typed text is inserted as
 * a JSON string, which is a Python string too.
 */
const snippet = (typed: string): string =>
	`__import__('sys').stdout.write((lambda c, t: __import__('json').dumps([n for n in (c.complete(t, i) for i in range(${MOST})) if n]))(__import__('rlcompleter').Completer(), ${JSON.stringify(typed)}))\nNone`;

const namesIn = (text: string): readonly string[] => {
	const found: unknown = JSON.parse(text);
	return Array.isArray(found)
		? [...new Set(found.filter(name => typeof name === 'string').map(name => name.replace(/\(.*$/s, '')))]
		: [];
};

const firstKernelNames = (): KernelNamesState => ({kernelAsked: new Set()});

export const kernelLookup = part(
	'kernelLookup',
	({get, set, deps: {client}}: App): KernelLookup => ({
		async kernelNames({server, kernel, unchosen}, typed) {
			const toChoose = (await unchosen?.(get())) ?? null;
			if (toChoose !== null) return toChoose;
			if (!get().kernelAsked.has(server)) {
				set({kernelAsked: new Set(get().kernelAsked).add(server)});
				return `Only the kernel knows more: ${keyFor('repl.complete')} again asks it, which runs a few lines there and counts as a cell`;
			}
			const {document, isBusy} = kernel(get());
			if (isBusy) return 'The kernel is running a cell: try again when it has ended';
			const reply = await (
				await client()
			).runCode(server, {code: snippet(typed), kernel_name: document.kernel});
			const output = reply.ok ? reply.value.outputs.find(each => each.output_type === 'stream') : undefined;
			try {
				const text: unknown = output?.['text'];
				return namesIn(Array.isArray(text) ? text.join('') : typeof text === 'string' ? text : '');
			} catch {
				return "The kernel's list of variables cannot be read";
			}
		},
	}),
	firstKernelNames,
);
