import {sessionOf} from '../../../run/open-kernel.ts';
import {label} from '../../../text/safe.ts';
import {kernelsOf} from './names.ts';
import {part, type App} from '../../core/app.ts';
import {environmentList} from '../../environments/environments.ts';
import {notices} from '../../core/store/notices.ts';
import {serverLinks} from '../../live/links.ts';
import {focusedDocument, ownerOf, replOwner} from './owner.ts';

export type KernelChoice = {
	/**
	 * Runs the next cells in the kernel with this name, unless the service reports that the server
	 * has no such kernel.
	 */
	chooseKernel(server: string, kernel: string): Promise<void>;
};

export const kernelChoice = part('kernelChoice', ({get}: App): KernelChoice => ({
	async chooseKernel(server, kernel) {
		if (get().environments.value === undefined) await environmentList(get).refreshEnvironments();
		const known = kernelsOf(get(), server);
		if (known && !known.includes(kernel)) {
			notices(get).notify(
				'bad',
				`${label(server, 60)} has no kernel ${label(kernel, 60)}; it has ${known.map(each => label(each, 60)).join(', ')}`,
			);
			return;
		}
		const document = focusedDocument(get, server);
		if (document.kind === 'notebook') return ownerOf(get, server, document).use(kernel);
		// Returns to the REPL's own kernel if the user chose another kernel of this name before.
		if (get().links.get(server)?.kind === 'live')
			(await serverLinks(get).linkOf(server))?.kernels.use(sessionOf({kind: 'repl', kernel}), null);
		replOwner(get, server).use(kernel);
		notices(get).notify(
			'info',
			`The next cells of ${label(server, 60)} run in ${label(kernel, 60)}${known ? '' : ', if it exists: this service does not list its kernels'}`,
		);
	},
}));
