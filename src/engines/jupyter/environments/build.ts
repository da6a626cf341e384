import {existsSync, readFileSync} from 'node:fs';
import {mkdir, rm} from 'node:fs/promises';
import {join} from 'node:path';
import * as z from 'zod';
import {writeDurably} from '../../../machine/atomic-write.ts';
import {diskReason} from '../../../machine/disk-fault.ts';
import {jsonIn} from '../../../text/record.ts';
import {StartError} from '../../engine.ts';
import {findProgram} from '../installation.ts';
import {probePython} from './probe.ts';
import {runBuilder} from './run-builder.ts';

/** Requirements of an environment, and the Python on which it is based. */
export type Recipe = {
	readonly id: string;
	readonly packages: readonly string[];
	/** Path of the base Python's program. */
	readonly python: string;
	/** True to include the packages of the base Python. */
	readonly system: boolean;
};

export type BuildOptions = {
	/** Folder that contains all built environments. */
	readonly folder: string;
	/** Environment variables for uv, venv and pip, including the user's proxy and package index. */
	readonly environment: NodeJS.ProcessEnv;
};

const mark = z.object({python: z.string(), version: z.string()});

type Command = readonly [file: string, ...args: string[]];

/**
 * Commands of a build. `uv pip` does not consider the base Python's packages, so ipykernel is
 * always installed.
 */
const commandsFor = (
	{packages, python, system}: Recipe,
	{
		folder,
		uv,
		hasKernel,
	}: {readonly folder: string; readonly uv: string | undefined; readonly hasKernel: boolean},
): readonly Command[] => {
	const wanted = [...(system && hasKernel ? [] : ['ipykernel']), ...packages];
	const own = join(folder, 'bin/python');
	const shared = system ? ['--system-site-packages'] : [];
	return uv === undefined
		? [
				[python, '-m', 'venv', ...shared, folder],
				[
					own,
					'-m',
					'pip',
					'install',
					'--no-input',
					'--disable-pip-version-check',
					'--progress-bar',
					'off',
					...wanted,
				],
			]
		: [
				// `--seed` installs pip, which `%pip` needs.
				[uv, 'venv', '--seed', '--python', python, ...shared, folder],
				[uv, 'pip', 'install', '--python', own, ...wanted],
			];
};

/** Builds environments on this machine. Builds of the same environment never run concurrently. */
export const createBuilder = ({folder: all, environment}: BuildOptions) => {
	const life = new AbortController();
	const running = new Map<
		string,
		{
			readonly done: Promise<void>;
			readonly listeners: Set<(text: string) => void>;
			readonly abort: AbortController;
		}
	>();
	const folderOf = (id: string): string => join(all, id);
	const programOf = (id: string): string => join(folderOf(id), 'bin/python');
	// Written last, so that an interrupted build does not count as complete.
	const markOf = (id: string): string => join(folderOf(id), 'svc-tui.json');
	const logOf = (id: string): string => join(all, `${id}.log`);
	const read = (id: string): z.infer<typeof mark> | null => {
		// If the base Python was removed, the environment's program is a dangling link.
		if (!existsSync(markOf(id)) || !existsSync(programOf(id))) return null;
		try {
			return mark.safeParse(jsonIn(readFileSync(markOf(id), 'utf8'))).data ?? null;
		} catch {
			return null;
		}
	};

	const build = async (
		recipe: Recipe,
		signal: AbortSignal,
		onProgress: (text: string) => void,
	): Promise<void> => {
		const {id, python} = recipe;
		const folder = folderOf(id);
		const uv = findProgram('uv', environment);
		const about = `Building the environment ${id} with ${uv === undefined ? 'venv and pip' : 'uv'}`;
		onProgress(`${about}.`);
		const base = await probePython(python, environment);
		if (base === null)
			throw new StartError(`The environment ${id} cannot be built: ${python} does not run as Python 3.`);
		try {
			await mkdir(all, {recursive: true, mode: 0o700});
			await rm(folder, {recursive: true, force: true});
			await rm(logOf(id), {force: true});
			for (const command of commandsFor(recipe, {folder, uv, hasKernel: base.ipykernel}))
				await runBuilder({
					command,
					environment,
					logFile: logOf(id),
					signal,
					onLine: line => onProgress(`${about}: ${line}`),
				});
			writeDurably(markOf(id), JSON.stringify({python, version: base.version}));
		} catch (error) {
			await rm(folder, {recursive: true, force: true}).catch(() => undefined);
			const reason =
				diskReason(error, {elsewhere: 'set XDG_DATA_HOME to another disk'}) ??
				(error instanceof Error ? error.message : String(error));
			throw new StartError(
				`The environment ${id} cannot be built: ${reason.replace(/\.?$/, '.')} The whole log is in ${logOf(id)}. Start the server again to retry.`,
				{cause: error},
			);
		}
	};

	const begin = async (recipe: Recipe, onProgress: (text: string) => void): Promise<void> => {
		const listeners = new Set([onProgress]);
		const abort = new AbortController();
		const tell = (text: string): void => {
			for (const listener of listeners) listener(text);
		};
		const building = build(recipe, AbortSignal.any([life.signal, abort.signal]), tell);
		const done = building.finally(() => running.delete(recipe.id));
		running.set(recipe.id, {done, listeners, abort});
		return done;
	};

	return {
		folderOf,
		/** Version of the environment's Python, or null if the environment is not built. */
		builtVersion: (id: string): string | null => read(id)?.version ?? null,
		/** Text for the user: "uv", or "venv and pip". */
		tool: (): string => (findProgram('uv', environment) === undefined ? 'venv and pip' : 'uv'),
		/**
		 * Builds the environment unless it exists. Concurrent callers share one build.
		 * @returns the path of its Python program.
		 * @throws {StartError} with the reason as a sentence. The next call tries again.
		 */
		async ensure(recipe: Recipe, onProgress: (text: string) => void): Promise<string> {
			const {id} = recipe;
			if (read(id) === null) {
				const active = running.get(id);
				active?.listeners.add(onProgress);
				await (active?.done ?? begin(recipe, onProgress));
			}
			return programOf(id);
		},
		/** Ends a running build of the environment and removes its files. */
		async remove(id: string): Promise<void> {
			const active = running.get(id);
			active?.abort.abort();
			await active?.done.catch(() => undefined);
			await rm(folderOf(id), {recursive: true, force: true});
			await rm(logOf(id), {force: true});
		},
		/** Ends all builds. */
		close: () => life.abort(),
	};
};

export type Builder = ReturnType<typeof createBuilder>;
