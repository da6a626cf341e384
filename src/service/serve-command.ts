import {ServeError} from './serve-error.ts';
import {startService, type ServiceOptions} from './serve.ts';

export type ServeCommandOptions = ServiceOptions & {
	readonly stdout?: {write(text: string): unknown};
	readonly stderr?: {write(text: string): unknown};
};

const signals = {SIGHUP: 1, SIGINT: 2, SIGTERM: 15} as const;

/** One line that may hold a path or a name; most need no second look. */
const safeLine = async (text: string): Promise<string> =>
	/^[\u0020-\u007e]*$/.test(text) ? text : (await import('../text/safe.ts')).label(text, 4096);

/**
 * `svc-tui serve`: runs the service until a signal comes or nobody holds a lease any more.
 * The first line on stdout comes once the service answers. A second signal ends the process at once.
 * @returns the exit code: 0, 128 + the signal, or that of a {@link ServeError}.
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
	// By default this signal would open Node's inspector to every program of this machine.
	process.on('SIGUSR1', () => {});
	// Keys of models may be in the environment, and Node's diagnostic report prints all of it.
	if (process.report) process.report.excludeEnv = true;
	try {
		const service = await startService(options);
		const keyLine = service.keyFile === null ? '' : `the API key is in ${await safeLine(service.keyFile)}\n`;
		// One write: a reader that leaves after the first line must not fail the second.
		const publicLine = service.publicUrl === null ? '' : `others reach it at ${service.publicUrl}\n`;
		stdout.write(`listening on ${service.url}\n${publicLine}${keyLine}`);
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
