// The key table for commands that never draw: the features' keys without their screens. app.ts
// makes the same table from its features; a test compares them.
import {assistantKeys, assistantTab} from './assistant/keys.ts';
import {cellsKeys} from './cells/keys.ts';
import {computeKeys, computeTab} from './compute/keys.ts';
import {fillKeymap} from './core/keys/keymap.ts';
import {environmentKeys, environmentsTab} from './environments/keys.ts';
import {fileKeys, filesTab} from './files/keys.ts';
import {notebookKeys} from './notebook/keys.ts';
import {pictureKeys} from './pictures/keys.ts';
import {profileKeys} from './profiles/keys.ts';
import {replKeys, replTab} from './repl/keys.ts';
import {serverKeys, serversTab} from './servers/keys.ts';
import {tableKeys} from './tables/keys.ts';

fillKeymap(
	[serversTab, computeTab, environmentsTab, filesTab, replTab, assistantTab],
	[
		serverKeys,
		computeKeys,
		environmentKeys,
		fileKeys,
		notebookKeys,
		replKeys,
		cellsKeys,
		assistantKeys,
		tableKeys,
		pictureKeys,
		profileKeys,
	],
);
