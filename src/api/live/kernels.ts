import type {LiveKernels} from '../client-types.ts';
import type {Failure} from '../failure.ts';
import {doneOrFailure} from './rest-failure.ts';
import type {Rest} from './rest.ts';

const GONE: Failure = {
	kind: 'not-found',
	method: 'POST',
	path: '/sessions',
	message: 'The server starts no kernel of this name.',
	advice: '":kernel NAME" chooses another one.',
};

type Needs = {
	readonly rest: Rest;
	/** The id of the kernel of a name; null where there is none. */
	readonly find: (kernel: string) => Promise<string | null>;
	/** Those that are linked now; what is called once this one was started again. */
	readonly linked: (id: string) => Promise<() => void>;
};

/** Kernels over Jupyter's interface. */
export const createKernels = ({rest, find, linked}: Needs): LiveKernels => ({
	async idOf(name) {
		const id = await find(name);
		return id === null ? {ok: false, failure: GONE} : {ok: true, value: id};
	},
	async restart(id) {
		const wasRestarted = await linked(id);
		const path = `kernels/${id}/restart`;
		const done = doneOrFailure('POST', `/${path}`, await rest('POST', path));
		if (done.ok) wasRestarted();
		return done;
	},
});
