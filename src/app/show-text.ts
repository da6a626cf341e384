// Shows a text alone on the terminal's main screen, for selection with the mouse.
import {spawn} from 'node:child_process';
import {waitForChild, type ChildEnvironment} from './job-control.ts';
import {block} from '../text/safe.ts';

/** Shows the text until the user presses Enter. False if the terminal could not be lent. */
export const showText = async (
	text: string,
	{env: {SVC_API_KEY: _, ...env}, jobs, terminal}: ChildEnvironment,
): Promise<boolean> =>
	jobs.lendDuring(async () => {
		process.stdout.write(
			`${block(text).trimEnd()}\n\nThis is the copied text. Press Enter to return to svc-tui.`,
		);
		const child = spawn('/bin/sh', ['-c', 'trap : INT; read -r _'], {stdio: 'inherit', env});
		// Ignored: without a shell there is no wait, but the text remains in the terminal's
		// scrollback.
		await waitForChild(child, terminal).catch(() => {});
		process.stdout.write('\n');
	});
