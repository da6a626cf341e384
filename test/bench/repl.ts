import {pressAction} from '../support/press-action.ts';
import {openProgram, type Home} from '../support/program.ts';
import type {BenchService} from './bench-service.ts';

/** Times from Enter in the REPL of the first server until the result of `1+1` is drawn, in ms. */
export const replTimes = async (
	home: Home,
	{url}: BenchService,
	{
		server,
		keyFile,
		times,
		warmUp,
	}: {readonly server: string; readonly keyFile: string; readonly times: number; readonly warmUp: number},
): Promise<readonly number[]> => {
	await using terminal = await openProgram({
		home,
		args: ['--base-url', url, '--api-key-file', keyFile, 'open', server, 'repl'],
	});
	await terminal.until('>>>');
	const values: number[] = [];
	for (let cell = -warmUp; cell < times; cell++) {
		// The comment in the code distinguishes this cell from the earlier ones.
		const source = `1+1 # ${cell + warmUp + 1}.`;
		terminal.type(source);
		await terminal.until(source);
		const known = new Set(terminal.screen().match(/\[\d+\](?= [^[]*→ )/g));
		let at = 0;
		const stop = terminal.onOutput((_, moment) => {
			at = moment;
		});
		const from = performance.now();
		pressAction(terminal, 'repl', 'run');
		await terminal.untilTrue('the next result', () =>
			[...terminal.screen().matchAll(/\[\d+\](?= [^[]*→ )/g)].some(([out]) => !known.has(out)),
		);
		stop();
		if (cell >= 0) values.push(at - from);
	}
	return values;
};
