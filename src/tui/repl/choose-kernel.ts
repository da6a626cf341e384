import {label} from '../../text/safe.ts';
import {kernelsOf} from '../cells/kernels/names.ts';
import type {Slice} from '../core/program.ts';

export type ChooseKernelSlice = {
	/** The next cells run in this kernel, unless the service says that there is none of that name. */
	chooseKernel(server: string, kernel: string): Promise<void>;
};

export const createChooseKernelSlice = (): Slice<ChooseKernelSlice> => (_, get) => ({
	async chooseKernel(server, kernel) {
		if (get().environments.value === undefined) await get().refreshEnvironments();
		const known = kernelsOf(get(), server);
		if (known && !known.includes(kernel)) {
			get().notify(
				'bad',
				`${label(server, 60)} has no kernel ${label(kernel, 60)}; it has ${known.map(each => label(each, 60)).join(', ')}`,
			);
			return;
		}
		// Its own one, not another of that name.
		if (get().links.get(server)?.kind === 'live') (await get().linkOf(server))?.kernels.use(kernel, null);
		get().changeRepl(server, {kernel});
		get().notify(
			'info',
			`The next cells of ${label(server, 60)} run in ${label(kernel, 60)}${known ? '' : ', if it is there: this service does not say which kernels it has'}`,
		);
	},
});
