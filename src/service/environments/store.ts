import {existsSync} from 'node:fs';
import {join} from 'node:path';
import * as z from 'zod';
import {isEnvironmentId} from '../../contract/environment-setup.ts';
import type {Engine} from '../../engines/engine.ts';
import {writeDurably} from '../../machine/atomic-write.ts';
import {readPrivate} from '../../machine/private-file.ts';
import {jsonIn} from '../../text/record.ts';
import {ServiceFault} from '../http/fault.ts';
import {usageError} from '../serve-error.ts';

const own = z.object({
	id: z.string().refine(isEnvironmentId),
	packages: z.array(z.string()),
	python: z.string().optional(),
	system: z.boolean().optional(),
	/** Engine of the environment. If absent, the embedded engine. */
	engine: z.enum(['pyodide', 'jupyter']).optional(),
});
const shape = z.object({allowed: z.array(z.string()), own: z.array(own)});

/** Environment that a user created. */
export type OwnEnvironment = z.infer<typeof own>;

/**
 * Stores the environments of an engine. The file contains those of all engines, because a data
 * folder may later be used with another engine.
 * @throws {ServeError} if the file cannot be used.
 */
export const openEnvironmentStore = (dataFolder: string, engine: Engine['name']) => {
	const file = join(dataFolder, 'environments.json');
	const read = (): z.infer<typeof shape> => {
		if (!existsSync(file)) return {allowed: [], own: []};
		const found = readPrivate(file);
		const kept = 'text' in found ? shape.safeParse(jsonIn(found.text)) : null;
		if (kept?.success) return kept.data;
		throw usageError(
			`The environments in ${file} cannot be used${'fault' in found && found.fault === 'open' ? ', because other users can read the file: run chmod 600 on it' : ''}; restore it from a backup, or move it away and create them again.`,
		);
	};
	let all = read();
	const keep = (next: z.infer<typeof shape>): void => {
		writeDurably(file, `${JSON.stringify(next, null, '\t')}\n`);
		all = next;
	};
	const ownHere = (): readonly OwnEnvironment[] =>
		all.own.filter(each => (each.engine ?? 'pyodide') === engine);
	return {
		own: ownHere,
		isAllowed: (id: string): boolean => all.allowed.includes(id),
		allow(id: string): void {
			if (!all.allowed.includes(id)) keep({...all, allowed: [...all.allowed, id]});
		},
		/**
		 * Adds an environment.
		 * @throws {ServiceFault} 400 if the id is invalid, 409 if it is in use.
		 */
		add(environment: Omit<OwnEnvironment, 'engine'>): void {
			const {id} = environment;
			if (!isEnvironmentId(id))
				throw new ServiceFault(
					400,
					`${JSON.stringify(id)} is not a name for an environment: use lower-case letters, digits, ".", "_" and "-".`,
				);
			const taken = all.own.find(each => each.id === id);
			if (taken)
				throw new ServiceFault(
					409,
					`The environment ${id} already exists${(taken.engine ?? 'pyodide') === engine ? '' : ', which you created with the other engine'}.`,
				);
			keep({...all, own: [...all.own, {...environment, engine}]});
		},
		/** Removes an environment. @throws {ServiceFault} 404 if the user did not create it. */
		remove(id: string): void {
			if (!ownHere().some(each => each.id === id))
				throw new ServiceFault(404, `You have created no environment ${JSON.stringify(id)}.`);
			keep({allowed: all.allowed.filter(each => each !== id), own: all.own.filter(each => each.id !== id)});
		},
	};
};

export type EnvironmentStore = ReturnType<typeof openEnvironmentStore>;
