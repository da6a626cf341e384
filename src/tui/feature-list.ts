// The list of the program's features: each noun is a folder and a line here. Store, key table,
// titles, stored locations, screens and dialogs are all derived from this list.
import {assistant} from './assistant/index.ts';
import {cells} from './cells/index.ts';
import {compute} from './compute/index.ts';
import {core} from './core/index.ts';
import {assemble} from './core/features.ts';
import {environments} from './environments/index.ts';
import {files} from './files/index.ts';
import {live} from './live/index.ts';
import {notebook} from './notebook/index.ts';
import {pictures} from './pictures/index.ts';
import {profiles} from './profiles/index.ts';
import {repl} from './repl/index.ts';
import {userCommands} from './repl/user-commands.ts';
import {servers} from './servers/index.ts';
import {tables} from './tables/index.ts';

/** Features, in the order of their dependencies; screens are in the order of their tabs. */
export const FEATURES = [
	core,
	servers,
	compute,
	environments,
	files,
	notebook,
	repl,
	userCommands,
	cells,
	live,
	assistant,
	tables,
	pictures,
	profiles,
];
assemble(FEATURES);
