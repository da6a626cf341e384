import {join, resolve} from 'node:path';
import type {StopSettings} from '../settings/limits.ts';
import {openMcpThread} from './mcp-thread.ts';

/**
 * Longest time from the end of the service to that of its process, in ms. A Jupyter Server needs
 * less to end.
 */
const PROCESS_MAY_TAKE = 2000;

/**
 * Limits from the given file. Without a file, those of the settings if the program started the
 * service automatically.
 */
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
 * Runs `serve`. Only the service is loaded here, because the program that starts it automatically
 * waits for it. The MCP tools are loaded in a thread at the first message.
 */
export const serve = async (args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> => {
	const {parseServe, ServeUsageError} = await import('../cli/serve-options.ts');
	try {
		const {data, catalogue, keys, models, limits, events, mcpAllow, ...options} = parseServe(args, env);
		const apiKey = env['SVC_API_KEY'] || undefined;
		// Removed, so that child processes and diagnostic reports do not contain the key.
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
		// Needed because a WebSocket stays open until its server confirms the close, which a
		// hanging server never does.
		setTimeout(() => process.exit(), PROCESS_MAY_TAKE).unref();
	} catch (error) {
		if (!(error instanceof ServeUsageError)) throw error;
		const {label} = await import('../text/safe.ts');
		// The error must be the last line with `--leased`, because the program that started the
		// service automatically shows this line.
		process.stderr.write(
			`${label(error.message, 400)}\n${args.includes('--leased') ? '' : 'svc-tui serve --help shows how.\n'}`,
		);
		process.exitCode = 2;
	}
};
