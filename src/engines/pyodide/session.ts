import {DEFAULT_KERNEL} from '../../contract/names.ts';
import {UnknownKernelError, type FailedCell, type Lookup, type Session} from '../engine.ts';
import type {OwnKernel} from '../live-kernel.ts';
import {openPythonKernel, type FetchPackages, type PythonKernel, type StartProcess} from './python-kernel.ts';

/**
 * Session with the default kernel and additional kernels.
 * @throws {Error} if the default kernel does not start.
 */
export const openSession = async (
	start: StartProcess,
	lookup: Lookup,
	fetchPackages: FetchPackages,
): Promise<Session> => {
	let failed: FailedCell | null = null;
	const onFailed = (cell: FailedCell): void => {
		failed = cell;
	};
	const main = await openPythonKernel(start, onFailed, fetchPackages);
	const others = new Set<PythonKernel>();
	const starting = new Set<Promise<OwnKernel>>();
	const life = new AbortController();

	const startOther = async (): Promise<OwnKernel> => {
		life.signal.throwIfAborted();
		const kernel = await openPythonKernel(
			options => start({...options, signal: AbortSignal.any([options.signal, life.signal])}),
			onFailed,
			fetchPackages,
		);
		others.add(kernel);
		const forget = (): void => void others.delete(kernel);
		void kernel.ended.then(forget);
		return {
			...kernel,
			async close() {
				await kernel.close();
				forget();
			},
		};
	};

	return {
		lookup,
		kernel: main,
		failed: () => failed,
		ended: main.ended,
		kernels: () => ({running: others.size, starting: starting.size}),
		startKernel() {
			const opening = startOther();
			starting.add(opening);
			return opening.finally(() => starting.delete(opening));
		},
		async run(code, {kernel: name, signal}) {
			if (name !== DEFAULT_KERNEL)
				throw new UnknownKernelError(
					`There is no kernel "${name}" here. The embedded engine has one: ${DEFAULT_KERNEL}.`,
				);
			return main.collect({code}, signal);
		},
		async close() {
			life.abort(new Error('This session is closed.'));
			await Promise.allSettled(starting);
			await Promise.all([main, ...others].map(kernel => kernel.close()));
		},
	};
};
