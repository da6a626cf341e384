// Shows a text alone on the terminal's main screen, for selection with the mouse.
import {spawn} from 'node:child_process';
import {waitForChild, type ChildEnvironment} from './job-control.ts';
import {block} from '../text/safe.ts';

/**
 * Waits for Enter, or for another end of the shell's `read`. False if the terminal was not
 * available.
 */
export const showText = async (
	text: string,
	{env: {SVC_API_KEY: _, ...env}, jobs, terminal}: ChildEnvironment,
): Promise<boolean> =>
	jobs.lendDuring(async () => {
		process.stdout.write(
			`${block(text).trimEnd()}\n\nThis is the copied text. Press Enter to return to svc-tui.`,
		);
		const child = spawn('/bin/sh', ['-c', 'trap : INT; read -r _'], {stdio: 'inherit', env});
		// There is no wait without a shell. The text stays in the terminal's scrollback.
		await waitForChild(child, terminal).catch(() => {});
		process.stdout.write('\n');
	});
