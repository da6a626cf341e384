// A text as it is on the terminal's main screen, where nothing stands beside it: for selecting with the mouse.
import {spawn} from 'node:child_process';
import {waitForChild, type ChildEnvironment} from './job-control.ts';
import {block} from '../text/safe.ts';

/** Until Enter, or whatever else ends a shell's `read`. False when the terminal was not available. */
export const showText = async (
	text: string,
	{env: {SVC_API_KEY: _, ...env}, jobs, terminal}: ChildEnvironment,
): Promise<boolean> =>
	jobs.lendDuring(async () => {
		process.stdout.write(`${block(text).trimEnd()}\n\nThis is what was copied. Enter goes back to svc-tui.`);
		const child = spawn('/bin/sh', ['-c', 'trap : INT; read -r _'], {stdio: 'inherit', env});
		// Without a shell there is nothing to wait with: it stays in what the terminal keeps.
		await waitForChild(child, terminal).catch(() => {});
		process.stdout.write('\n');
	});
