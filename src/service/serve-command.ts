import {ServeError} from './serve-error.ts';
import {startService, type ServiceOptions} from './serve.ts';

export type ServeCommandOptions = ServiceOptions & {
	readonly stdout?: {write(text: string): unknown};
	readonly stderr?: {write(text: string): unknown};
};

const signals = {SIGHUP: 1, SIGINT: 2, SIGTERM: 15} as const;

/**
 * Makes a line safe to print, which may contain a path or name. Imports the escaping only for lines
 * that need it.
 */
const safeLine = async (text: string): Promise<string> =>
	/^[\u0020-\u007e]*$/.test(text) ? text : (await import('../text/safe.ts')).label(text, 4096);

/**
 * Runs the service until a signal arrives or the last lease ends. Prints the first line on stdout
 * when the service responds. A second signal ends the process immediately.
 * @returns the exit code: 0, 128 + the signal's number, or that of a {@link ServeError}.
 */
export const serveCommand = async ({
	stdout = process.stdout,
	stderr = process.stderr,
	...options
}: ServeCommandOptions): Promise<number> => {
	let exitCode = 0;
	let stop = (): void => {};
	const stopped = new Promise<void>(resolve => {
		stop = resolve;
	});
	const handlers = Object.entries(signals).map(([signal, number]) => {
		const handler = (): void => {
			if (exitCode !== 0) process.exit(exitCode);
			exitCode = 128 + number;
			stop();
		};
		process.on(signal, handler);
		return () => process.off(signal, handler);
	});
	// Overrides Node's default for this signal, which opens the inspector to all programs on this
	// machine.
	process.on('SIGUSR1', () => {});
	// Excludes the environment from Node's diagnostic report, because it may contain the keys of
	// models.
	if (process.report) process.report.excludeEnv = true;
	try {
		const service = await startService(options);
		const keyLine = service.keyFile === null ? '' : `the API key is in ${await safeLine(service.keyFile)}\n`;
		// Written at once, so that a reader that closes the pipe after the first line causes no
		// error.
		const publicLine = service.publicUrl === null ? '' : `others reach it at ${service.publicUrl}\n`;
		const metricsLine = service.metricsUrl === null ? '' : `metrics are at ${service.metricsUrl}\n`;
		stdout.write(`listening on ${service.url}\n${publicLine}${keyLine}${metricsLine}`);
		await Promise.race([stopped, service.closed]);
		await service.close();
		return exitCode;
	} catch (error) {
		if (!(error instanceof ServeError)) throw error;
		stderr.write(`${await safeLine(error.message)}\n`);
		return error.exitCode;
	} finally {
		for (const remove of handlers) remove();
	}
};
