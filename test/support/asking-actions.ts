import type {Scope} from '../../src/tui/core/program.ts';

/** Actions, as `scope.action`, whose key only opens a dialog with a question. */
export const ASKS: ReadonlySet<string> = new Set([
	'servers.start',
	'servers.create',
	'servers.duplicate',
	'servers.shutDown',
	'offline.start',
	'compute.create',
	'environments.create',
	'tree.add',
	'tree.listByCode',
	'tree.upload',
	'tree.move',
	'tree.remove',
	'turns.writeBlock',
	'kernels.restart',
	'kernels.shutDown',
]);

/** Scopes of dialogs with a question, in which letters are answers. */
export const QUESTIONS: ReadonlySet<string> = new Set<Scope>([
	'confirm',
	'overwrite',
	'writing',
	'conflict',
	'keptEdit',
	'keep',
	'review',
	'permit',
	'context',
	'packet',
	'cellChange',
]);
