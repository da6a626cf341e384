import {join, resolve} from 'node:path';
import type {StopSettings} from '../settings/limits.ts';
import {openMcpThread} from './mcp-thread.ts';

/**
 * Longest time between the end of the service and of its process, in ms: more than a Jupyter Server
 * needs to end.
 */
const PROCESS_MAY_TAKE = 2000;

/** Limits of the given file, else of the settings if the program starts the service. */
const limitsOf = async (file: string | undefined, isLeased: boolean): Promise<StopSettings | undefined> => {
	if (file === undefined && !isLeased) return undefined;
	const [{readLimits, limitsInSettings, LimitsError}, {paths}, {ServeUsageError}] = await Promise.all([
		import('../settings/limits.ts'),
		import('../machine/paths.ts'),
		import('../cli/serve-options.ts'),
	]);
	try {
		return file === undefined
			? limitsInSettings(join(paths().config, 'settings.json'))
			: readLimits(resolve(file));
	} catch (error) {
		throw error instanceof LimitsError ? new ServeUsageError(error.message) : error;
	}
};

/**
 * Runs `serve`. The program starts the service itself and waits for it, so only the service is
 * loaded here. The MCP tools load in a thread at the first message.
 */
export const serve = async (args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> => {
	const {parseServe, ServeUsageError} = await import('../cli/serve-options.ts');
	try {
		const {data, catalogue, keys, models, limits, events, mcpAllow, ...options} = parseServe(args, env);
		const apiKey = env['SVC_API_KEY'] || undefined;
		// Child processes and diagnostic reports must not contain the key.
		delete env['SVC_API_KEY'];
		const dataFolder =
			data !== undefined
				? resolve(data)
				: options.engine === 'jupyterhub'
					? null
					: (await import('../machine/paths.ts')).localDataFolder();
		const stopSettings = await limitsOf(limits, options.leased);
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
			limits: stopSettings,
			mcp: {open: url => openMcpThread(url, {allow: mcpAllow, tlsCert: options.tlsCert})},
			eventsFile: events === undefined ? undefined : resolve(events),
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
