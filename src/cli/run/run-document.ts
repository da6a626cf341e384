import {randomUUID} from 'node:crypto';
import {setTimeout as sleep} from 'node:timers/promises';
import type {Document, DocumentKernel} from '../../run/open-kernel.ts';
import {joinNames} from '../../text/join-names.ts';
import {label} from '../../text/safe.ts';
import type {Context} from '../context.ts';
import {printNotice} from '../print.ts';

/** Longest wait for the end of a kernel after a signal, in ms. */
const END_MS = 150;

/**
 * Document for this code. `name`: name of its file. `isShared`: true to use the kernel of the REPL.
 */
export const documentOf = (
	kernel: string,
	{name, isShared}: {readonly name: string; readonly isShared: boolean},
): Document =>
	isShared
		? {kind: 'command', kernel}
		: {kind: 'script', id: randomUUID(), name: `svc-tui run ${name}`, kernel};

/** Warns on stderr if a script or notebook runs in a kernel that others use. */
export const printSharing = async (
	context: Pick<Context, 'json' | 'stderr'>,
	kernel: DocumentKernel,
	name: string,
): Promise<void> => {
	const ownership = await kernel.ownership();
	if (ownership.kind === 'own') return;
	const others = joinNames(ownership.with.map(each => label(each, 100)));
	await printNotice(context, `${label(name, 100)} shares its kernel with ${others}. ${ownership.why}`);
};

/** Ends the kernel of a script. After a signal, waits only briefly. */
export const endKernel = async ({signal}: Pick<Context, 'signal'>, kernel: DocumentKernel): Promise<void> => {
	const ended = kernel.close();
	await (signal.aborted ? Promise.race([ended, sleep(END_MS)]) : ended);
};
