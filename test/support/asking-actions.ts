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
