// Emscripten caches each file and never checks the disk again. After another program removed a
// file, Python could not create it again, and a folder with the same name would still look like a
// file.
import type {PyodideAPI} from 'pyodide';

const KIND = 0o170_000;

type Node = {
	mode: number;
	readonly mount: {readonly type: unknown};
	readonly node_ops: {getattr(node: Node): {readonly mode: number}};
};

type FileSystem = {
	readonly filesystems: {readonly NODEFS: unknown};
	lookupNode(parent: Node, name: string): Node;
	lookup(parent: Node, name: string): Node;
	destroyNode(node: Node): void;
};

const modeOnDisk = (node: Node): number | null => {
	try {
		return node.node_ops.getattr(node).mode;
	} catch {
		return null;
	}
};

/** Makes each lookup compare the cached node with the disk, in the mounted folder. */
export const disableNodeCache = (py: PyodideAPI): void => {
	const FS = py.FS as unknown as FileSystem;
	const lookUpKept = FS.lookupNode.bind(FS);
	FS.lookupNode = (parent, name) => {
		const node = lookUpKept(parent, name);
		if (node.mount.type !== FS.filesystems.NODEFS) return node;
		const mode = modeOnDisk(node);
		if (mode !== null && (mode & KIND) === (node.mode & KIND)) {
			node.mode = mode;
			return node;
		}
		FS.destroyNode(node);
		return FS.lookup(parent, name);
	};
};
