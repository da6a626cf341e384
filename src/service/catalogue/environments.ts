import type {Environment} from '../../contract/environments.ts';
import {DEFAULT_KERNEL} from '../../contract/names.ts';
import type {InstalledSoftware} from '../../engines/jupyter/installed.ts';
import type {EngineName} from './own-options.ts';

/** Toolkit: id, name, purpose, and the Python modules by which it is detected. */
const toolkits: readonly (readonly [id: string, name: string, what: string, modules: readonly string[]])[] = [
	[
		'ai',
		'AI',
		'Python for general work in machine learning and data.',
		['numpy', 'pandas', 'scipy', 'matplotlib', 'sklearn'],
	],
	['pytorch', 'PyTorch', 'Deep learning in Python with PyTorch.', ['torch']],
	['tensorflow', 'TensorFlow', 'Deep learning in Python with TensorFlow and Keras.', ['tensorflow', 'keras']],
	['jax', 'JAX', 'Array computation, automatic differentiation and compilation with JAX.', ['jax']],
	['rapids', 'RAPIDS', 'Data processing on GPUs with cuDF and cuML.', ['cudf', 'cuml']],
	[
		'huggingface',
		'Hugging Face',
		'Models and data sets of a model hub with Transformers and Datasets.',
		['transformers', 'datasets'],
	],
	['rdkit', 'RDKit', 'Chemistry research with RDKit.', ['rdkit']],
	['dgl', 'DGL', 'Graph networks with the Deep Graph Library.', ['dgl']],
	['pyg', 'PyTorch Geometric', 'Graph networks with PyTorch Geometric.', ['torch_geometric']],
];

const limits: Record<Exclude<EngineName, 'jupyter'>, string> = {
	pyodide:
		"On this service's embedded engine it is the Python standard library only: no toolkit is installed here. The environment `data` has numpy, pandas and matplotlib.",
	jupyterhub: 'On this service it is the Python that the hub starts with the packages installed there.',
};

const known = [...new Set(toolkits.flatMap(([, , , modules]) => modules))];

const listed = (
	wanted: readonly string[],
	{modules}: Pick<InstalledSoftware, 'modules'>,
): readonly string[] =>
	wanted.filter(name => modules.has(name)).map(name => [name, modules.get(name)].filter(Boolean).join(' '));

/** Name and title of a kernel. The language is added unless the title contains it: `ir (R)`. */
const kernelText = ({name, displayName, language}: InstalledSoftware['kernels'][number]): string =>
	`${name} (${displayName.toLowerCase().includes(language.toLowerCase()) ? displayName : `${displayName}, ${language}`})`;

const onThisMachine = (wanted: readonly string[], installed: InstalledSoftware): string => {
	const found = listed(wanted, installed);
	const kernels = installed.kernels.map(kernelText).join(', ');
	return `On this service it is the Python of this machine, ${found.length === 0 ? `where ${wanted.join(', ')} is not installed` : `with ${found.join(', ')}`}. Kernels: ${kernels}.`;
};

/** Kernel names that cells may use. Omitted for a hub, whose kernels are unknown. */
const kernelsOf = (
	engine: EngineName,
	{kernels}: InstalledSoftware,
): {readonly kernels?: readonly string[]} =>
	engine === 'pyodide'
		? {kernels: [DEFAULT_KERNEL]}
		: engine === 'jupyter' && kernels.length > 0
			? {kernels: kernels.map(({name}) => name)}
			: {};

/**
 * Environments of an engine, described by what is actually available. `installed`: only used for
 * Jupyter.
 */
export const environmentsOf = (
	engine: EngineName,
	installed: InstalledSoftware = {modules: new Map(), program: null, kernels: [], pythons: []},
): readonly Environment[] => [
	...toolkits.map(([environment_id, name, what, modules]) => ({
		environment_id,
		name,
		...kernelsOf(engine, installed),
		description: `${what} ${engine === 'jupyter' ? onThisMachine(modules, installed) : limits[engine]}`,
	})),
	...installed.pythons.map(({environment_id, name, folder, modules}) => {
		const found = listed(known, {modules});
		return {
			environment_id,
			name,
			kernels: [...new Set([DEFAULT_KERNEL, ...(kernelsOf(engine, installed).kernels ?? [])])],
			description: `The Python in ${folder} as the kernel python3${found.length === 0 ? '' : `, with ${found.join(', ')}`}.`,
		};
	}),
];
