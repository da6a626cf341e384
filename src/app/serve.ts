import {resolve} from 'node:path';

/**
 * Milliseconds that may pass between the end of the service and that of its process: more than a
 * Jupyter Server of ours takes to end.
 */
const PROCESS_MAY_TAKE = 2000;

/** The program starts the service by itself, and waits for it: nothing but the service is loaded here. */
export const serve = async (args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> => {
	const {parseServe, ServeUsageError} = await import('../cli/serve-options.ts');
	try {
		const {data, catalogue, keys, models, ...options} = parseServe(args, env);
		const apiKey = env['SVC_API_KEY'] || undefined;
		// No child gets to see it, and no diagnostic report.
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
		// A WebSocket stays open until its server answers the end of it, which one that hangs never does.
		setTimeout(() => process.exit(), PROCESS_MAY_TAKE).unref();
	} catch (error) {
		if (!(error instanceof ServeUsageError)) throw error;
		const {label} = await import('../text/safe.ts');
		// The program that starts the service by itself shows the last line.
		process.stderr.write(
			`${label(error.message, 400)}\n${args.includes('--leased') ? '' : 'svc-tui serve --help shows how.\n'}`,
		);
		process.exitCode = 2;
	}
};
