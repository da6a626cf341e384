// What a lower room asks of a higher one. The higher room provides the answer among the `parts` of its index.ts.
import type {ComputeOption} from '../../contract/compute.ts';
import {appOf, type App, type Part, type Reach} from './app.ts';

type Port<Given extends readonly unknown[], Answer> = {
	(reach: Reach, ...given: Given): Answer;
	readonly provide: (how: (app: App, ...given: Given) => Answer) => Part;
};

/** Declared by the room that asks, or here where several ask. */
export const port = <Given extends readonly unknown[], Answer = void>(name: string): Port<Given, Answer> => {
	const answer = (reach: Reach, ...given: Given): Answer => {
		const how = appOf(reach).parts.get(name) as ((...given: Given) => Answer) | undefined;
		if (how === undefined) throw new RangeError(`no room provides ${name}`);
		return how(...given);
	};
	return Object.assign(answer, {
		provide: (how: (app: App, ...given: Given) => Answer): Part => ({
			start: app => void app.parts.set(name, (...given: Given) => how(app, ...given)),
		}),
	});
};

/** Shows the list of profiles. */
export const chooseProfile = port<[]>('chooseProfile');
/** Opens the form that signs in to a service. */
export const openSignIn = port<[]>('openSignIn');
/** Leads to a new server with an offer, or with an environment. */
export const createServer =
	port<[from: {readonly option: ComputeOption} | {readonly environment: string}]>('createServer');
