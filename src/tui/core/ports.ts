// Calls from a feature to a later one in feature-list.ts. The later feature provides the
// implementation among the `parts` of its index.ts.
import type {ComputeOption} from '../../contract/compute.ts';
import {appOf, type App, type Part, type Reach} from './app.ts';

type Port<Given extends readonly unknown[], Answer> = {
	(reach: Reach, ...given: Given): Answer;
	readonly provide: (how: (app: App, ...given: Given) => Answer) => Part;
};

/** Declares a port. Its place is the feature that calls it, or this file if several features do. */
export const port = <Given extends readonly unknown[], Answer = void>(name: string): Port<Given, Answer> => {
	const answer = (reach: Reach, ...given: Given): Answer => {
		const how = appOf(reach).parts.get(name) as ((...given: Given) => Answer) | undefined;
		if (how === undefined) throw new RangeError(`no feature provides ${name}`);
		return how(...given);
	};
	return Object.assign(answer, {
		provide: (how: (app: App, ...given: Given) => Answer): Part => ({
			start: app => void app.parts.set(name, (...given: Given) => how(app, ...given)),
		}),
	});
};

/** Runs one of the user's own commands, by its name. */
export const runUserCommand = port<[name: string], string | void>('runUserCommand');
/** Shows the list of profiles. */
export const chooseProfile = port<[]>('chooseProfile');
/** Opens the form that signs in to a service. */
export const openSignIn = port<[]>('openSignIn');
/** Opens the search in the files of the current server. */
export const searchFiles = port<[], string | void>('searchFiles');
/** Opens the dialog with the costs. */
export const showCosts = port<[]>('showCosts');
/**
 * Opens the form for a new server with a compute option, or with an environment. `regions`: the
 * regions of the search that found the option.
 */
export const createServer =
	port<
		[
			from:
				| {readonly option: ComputeOption; readonly regions: readonly string[]}
				| {readonly environment: string},
		]
	>('createServer');
