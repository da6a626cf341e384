// A text as it is on the terminal's main screen, where nothing stands beside it: for selecting with the mouse.
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import type {JobControl} from './job-control.ts';
import type {ScreenTerminal} from './terminal.ts';
import {block} from '../text/safe.ts';

type Surroundings = {
	readonly env: NodeJS.ProcessEnv;
	readonly jobs: JobControl;
	readonly terminal: ScreenTerminal;
};

/** Until Enter, or whatever else ends a shell's `read`. False when the terminal could not be had. */
export const showText = async (
	text: string,
	{env: {SVC_API_KEY: _, ...env}, jobs, terminal}: Surroundings,
): Promise<boolean> =>
	jobs.lendDuring(async () => {
		process.stdout.write(`${block(text).trimEnd()}\n\nThis is what was copied. Enter goes back to svc-tui.`);
		const child = spawn('/bin/sh', ['-c', 'trap : INT; read -r _'], {stdio: 'inherit', env});
		terminal.guest = signal => void child.kill(signal);
		try {
			await once(child, 'close');
		} catch {
			// Without a shell there is nothing to wait with: it stays in what the terminal keeps.
		} finally {
			terminal.guest = undefined;
		}
		process.stdout.write('\n');
	});
