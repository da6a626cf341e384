import {execFile} from 'node:child_process';
import {promisify} from 'node:util';
import * as z from 'zod';
import {jsonIn} from '../../../text/record.ts';

/** Time limit for a probe, in ms. A Python on a network disk starts slowly. */
const LIMIT_MS = 10_000;

// `-I` ignores environment variables, the current folder and the user's own packages.
const CODE = `import json, sys
from importlib.util import find_spec
print(json.dumps({'version': '.'.join(map(str, sys.version_info[:3])), 'ipykernel': find_spec('ipykernel') is not None}))`;

const answer = z.object({version: z.string().regex(/^\d+\.\d+\.\d+$/), ipykernel: z.boolean()});

export type PythonProbe = z.infer<typeof answer>;

/**
 * Runs a Python to get its version and whether it has ipykernel. Null if it is not a working Python
 * 3.
 */
export const probePython = async (
	program: string,
	environment: NodeJS.ProcessEnv,
): Promise<PythonProbe | null> => {
	try {
		const {stdout} = await promisify(execFile)(program, ['-I', '-c', CODE], {
			env: environment,
			timeout: LIMIT_MS,
			killSignal: 'SIGKILL',
			maxBuffer: 100_000,
		});
		return answer.safeParse(jsonIn(stdout)).data ?? null;
	} catch {
		return null;
	}
};
