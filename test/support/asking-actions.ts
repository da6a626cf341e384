import type {Scope} from '../../src/tui/core/program.ts';

/** Actions, as `scope.action`, whose key only opens a box that asks. */
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

/** Boxes that ask: a letter is the answer. */
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
