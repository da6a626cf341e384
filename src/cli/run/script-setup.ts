import {usageError} from '../command-error.ts';

/** Environment that a script runs in. `file`: null if the code is not in a file. */
export type ScriptContext = {
	readonly argv: readonly string[];
	readonly file: string | null;
	readonly env: Readonly<Record<string, string>>;
};

/** Parses options `NAME=VALUE`. @throws {CommandError} if one is not valid. */
export const readEnv = (given: readonly string[]): Readonly<Record<string, string>> =>
	Object.fromEntries(
		given.map(each => {
			const at = each.indexOf('=');
			if (at < 1) throw usageError('--env takes NAME=VALUE.', 'Example: --env EPOCHS=3.');
			return [each.slice(0, at), each.slice(at + 1)];
		}),
	);

/**
 * Teardown code: undoes the setup, without changing the kernel's variables. `SET` also runs it
 * first, because a killed command may have left its setup behind.
 */
const TAKE_BACK = `
import sys
back = sys.__dict__.get('_svc_tui_back')
if back is not None:
    try:
        back()
    except KeyboardInterrupt:  # Meant for the code, which was just over.
        back()
    del sys._svc_tui_back
`;
const SET = `${TAKE_BACK}
import json, os
given = json.loads(given)
nothing = object()
argv, file = sys.argv, main.get('__file__', nothing)
env = {name: os.environ.get(name) for name in given['env']}
def back():
    sys.argv = argv
    if file is nothing:
        main.pop('__file__', None)
    else:
        main['__file__'] = file
    for name, value in env.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
sys._svc_tui_back = back
sys.argv = given['argv']
if given['file'] is not None:
    main['__file__'] = given['file']
os.environ.update(given['env'])
`;

/** A Python string literal. Python accepts the escapes of JSON. */
const quoted = (text: string): string => JSON.stringify(text);

/** Setup and teardown code for a script. Neither leaves variables in the kernel. */
export const setupAndTeardown = (
	surroundings: ScriptContext,
): {readonly before: string; readonly after: string} => ({
	before: `exec(${quoted(SET)}, {'main': globals(), 'given': ${quoted(JSON.stringify(surroundings))}})`,
	after: `exec(${quoted(TAKE_BACK)}, {})`,
});
