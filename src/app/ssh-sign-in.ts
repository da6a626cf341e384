// Runs `ssh login` in the terminal of the screens, because ssh asks there for passwords and codes.
import {spawn} from 'node:child_process';
import {join} from 'node:path';
import {waitForChild, type ChildEnvironment} from './job-control.ts';

/** Signs in to a host. False if that failed, null if the terminal could not be lent. */
export const signInToHost = async (
	host: string,
	{env: {SVC_API_KEY: _, ...env}, jobs, terminal}: ChildEnvironment,
): Promise<boolean | null> => {
	let isSignedIn = false;
	const words = ['--profile', 'local', 'ssh', 'login', host];
	const wasLent = await jobs.lendDuring(async () => {
		process.stdout.write(`Signing in to ${host} …\n`);
		const boot = join(import.meta.dirname, 'boot.js');
		const child = spawn(process.execPath, [...process.execArgv, boot, ...words], {stdio: 'inherit', env});
		try {
			const [code] = await waitForChild(child, terminal);
			isSignedIn = code === 0;
		} catch {
			// Ignored, because the message below the list reports that the sign-in failed.
		}
	});
	return wasLent ? isSignedIn : null;
};
