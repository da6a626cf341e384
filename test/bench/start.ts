import {untilNoProcessUses} from '../support/processes.ts';
import {newHome, PROGRAM} from '../support/program.ts';
import {isFirstFrame, startToExit, startToScreen} from './first-frame.ts';
import type {Measurement} from './measurement.ts';

const RUNS = 12;

/**
 * Time from the start of the process to the first complete frame, with the compile cache of earlier
 * runs.
 */
export const start = async (): Promise<readonly Measurement[]> => {
	await using home = await newHome();
	const boot = PROGRAM.replace(/svc-tui$/, 'boot.js');
	const commands = [[PROGRAM], [process.execPath, boot]] as const;
	const values: [number[], number[]] = [[], []];
	const reference: number[] = [];
	for (let run = -2; run < RUNS; run++) {
		reference.push(await startToExit([process.execPath, '-e', '0'], home.env));
		for (const [index, command] of commands.entries()) {
			const started = await startToScreen(command, home.env, isFirstFrame);
			// The first two rounds are not measured: they fill the compile cache and create the
			// home.
			if (run >= 0) values[index]!.push(started.ms);
			// The program stops its service on exit only if it holds the service's lease.
			await started.until(rows => rows.some(row => row.includes('welcome')));
			await started.end();
			// The service of this round must have ended before the next start.
			await untilNoProcessUses(home.folder);
		}
	}
	const node = {what: 'node -e 0', values: reference};
	return [
		{
			id: 'P1',
			what: 'start to the first frame: svc-tui',
			unit: 'ms',
			values: values[0],
			reference: node,
			budget: {figure: 'ratio', atMost: 5},
		},
		{
			id: 'P1',
			what: 'start to the first frame: node dist/boot.js',
			unit: 'ms',
			values: values[1],
			reference: node,
		},
	];
};
