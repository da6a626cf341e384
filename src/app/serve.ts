import {resolve} from 'node:path';

/**
 * Longest time between the end of the service and of its process, in ms: more than a Jupyter Server
 * needs to end.
 */
const PROCESS_MAY_TAKE = 2000;

/**
 * Runs `serve`. The program starts the service itself and waits for it, so only the service is
 * loaded here.
 */
export const serve = async (args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> => {
	const {parseServe, ServeUsageError} = await import('../cli/serve-options.ts');
	try {
		const {data, catalogue, keys, models, ...options} = parseServe(args, env);
		const apiKey = env['SVC_API_KEY'] || undefined;
		// Child processes and diagnostic reports must not contain it.
		delete env['SVC_API_KEY'];
		const dataFolder =
			data !== undefined
				? resolve(data)
				: options.engine === 'jupyterhub'
					? null
					: (await import('../machine/paths.ts')).localDataFolder();
		const [{serveCommand}, {defaultModelsFile}] = await Promise.all([
			import('../service/serve-command.ts'),
			import('../settings/models.ts'),
		]);
		process.exitCode = await serveCommand({
			...options,
			dataFolder,
			apiKey,
			catalogueFile: catalogue,
			keysFile: keys,
			modelsFile: models ?? defaultModelsFile(),
		});
		// A WebSocket stays open until its server confirms the close, which a hanging server never
		// does.
		setTimeout(() => process.exit(), PROCESS_MAY_TAKE).unref();
	} catch (error) {
		if (!(error instanceof ServeUsageError)) throw error;
		const {label} = await import('../text/safe.ts');
		// The program that started the service automatically shows the last line.
		process.stderr.write(
			`${label(error.message, 400)}\n${args.includes('--leased') ? '' : 'svc-tui serve --help shows how.\n'}`,
		);
		process.exitCode = 2;
	}
};
