import {usageError} from '../command-error.ts';

/** What a script finds around it. `file` is null where the code has none. */
export type ScriptContext = {
	readonly argv: readonly string[];
	readonly file: string | null;
	readonly env: Readonly<Record<string, string>>;
};

/** `NAME=VALUE`s by name. @throws {CommandError} */
export const readEnv = (given: readonly string[]): Readonly<Record<string, string>> =>
	Object.fromEntries(
		given.map(each => {
			const at = each.indexOf('=');
			if (at < 1) throw usageError('--env takes NAME=VALUE.', 'As in --env EPOCHS=3.');
			return [each.slice(0, at), each.slice(at + 1)];
		}),
	);

/** Python runs it away from the names of the kernel. What a command that was killed has left is taken back first. */
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

/** A text as Python writes it: JSON's escapes are Python's. */
const quoted = (text: string): string => JSON.stringify(text);

/** Code to run before the script's; the second to run after it. Neither leaves a name. */
export const setupAndTeardown = (
	surroundings: ScriptContext,
): {readonly before: string; readonly after: string} => ({
	before: `exec(${quoted(SET)}, {'main': globals(), 'given': ${quoted(JSON.stringify(surroundings))}})`,
	after: `exec(${quoted(TAKE_BACK)}, {})`,
});
