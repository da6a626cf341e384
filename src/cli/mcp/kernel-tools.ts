import {userOf} from '../../run/open-kernel.ts';
import {label} from '../../text/safe.ts';
import {failed} from '../command-error.ts';
import {chosenKernel, kernelChoice, replSession, withLink} from './kernel-of.ts';
import * as z from './sdk.ts';
import {serverName, tool, type Tool} from './tool.ts';

const listKernels = tool({
	name: 'list_kernels',
	title: 'List kernels',
	description: 'Lists the running kernels of a server, with their state and the notebooks that use them.',
	needs: [],
	hints: {readOnly: true, idempotent: true},
	input: z.strictObject({server: serverName}),
	output: z.object({
		kernels: z.array(
			z.object({
				kernel: z.string().describe('Id to pass to other tools'),
				name: z.string(),
				state: z.string().nullable().describe('busy, idle, starting or dead; null if unknown'),
				last_activity: z.string().nullable(),
				memory_bytes: z.number().nullable(),
				used_by: z.array(z.string()).describe('Paths of notebooks; "the REPL" is also that of run_code'),
			}),
		),
	}),
	async run(call, {server}) {
		const listed = await withLink(call, server, async live => live.kernels.list(replSession()));
		if (!listed.ok) throw failed(listed.failure);
		return {
			value: {
				kernels: listed.value.map(({id, name, state, lastActivity, memory, sessions}) => ({
					kernel: id,
					name,
					state,
					last_activity: lastActivity === null ? null : new Date(lastActivity).toISOString(),
					memory_bytes: memory,
					used_by: sessions.map(({path}) => userOf(path)),
				})),
			},
		};
	},
});

const interruptKernel = tool({
	name: 'interrupt_kernel',
	title: 'Interrupt a kernel',
	description:
		'Interrupts the code that a kernel runs, as Ctrl-C would; variables stay. Without path and kernel it is the kernel of run_code.',
	needs: ['run'],
	hints: {readOnly: false, idempotent: true},
	input: z.strictObject({server: serverName, ...kernelChoice}),
	async run(call, {server, ...choice}) {
		return withLink(call, server, async live => {
			const {id, name} = await chosenKernel(live, choice);
			const done = await live.kernels.interrupt(id);
			if (!done.ok) throw failed(done.failure);
			return {facts: `Kernel ${id} (${label(name, 60)}) was interrupted.`};
		});
	},
});

const restartKernel = tool({
	name: 'restart_kernel',
	title: 'Restart a kernel',
	description:
		'Restarts a kernel: its variables are lost and its running code ends; files and notebooks stay. Without path and kernel it is the kernel of run_code.',
	needs: ['run'],
	hints: {readOnly: false, destructive: true},
	input: z.strictObject({server: serverName, ...kernelChoice}),
	async run(call, {server, ...choice}) {
		return withLink(call, server, async live => {
			const {id, name} = await chosenKernel(live, choice);
			const done = await live.kernels.restart(id);
			if (!done.ok) throw failed(done.failure);
			return {facts: `Kernel ${id} (${label(name, 60)}) was restarted. Its variables are lost.`};
		});
	},
});

export const KERNEL_TOOLS: readonly Tool[] = [listKernels, interruptKernel, restartKernel];
