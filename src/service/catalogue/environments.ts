import type {Environment} from '../../contract/environments.ts';
import type {EngineName} from './own-options.ts';

const toolkits: readonly (readonly [id: string, name: string, what: string])[] = [
	['ai', 'AI', 'Python for general work in machine learning and data.'],
	['pytorch', 'PyTorch', 'Deep learning in Python with PyTorch.'],
	['tensorflow', 'TensorFlow', 'Deep learning in Python with TensorFlow and Keras.'],
	['jax', 'JAX', 'Array computation, automatic differentiation and compilation with JAX.'],
	['rapids', 'RAPIDS', 'Data processing on GPUs with cuDF and cuML.'],
	['huggingface', 'Hugging Face', 'Models and data sets of a model hub with Transformers and Datasets.'],
	['rdkit', 'RDKit', 'Chemistry research with RDKit.'],
	['dgl', 'DGL', 'Graph networks with the Deep Graph Library.'],
	['pyg', 'PyTorch Geometric', 'Graph networks with PyTorch Geometric.'],
];

const limits: Record<EngineName, string> = {
	pyodide: 'On this service\'s embedded engine it is the Python standard library only: no toolkit is installed here.',
	jupyter: 'On this service it is the Python of this machine with the packages installed there.',
	jupyterhub: 'On this service it is the Python that the hub starts with the packages installed there.',
};

/** The environments that a server can run; each description says what the engine really has. */
export const environmentsOf = (engine: EngineName): readonly Environment[] =>
	toolkits.map(([environment_id, name, what]) => ({environment_id, name, description: `${what} ${limits[engine]}`}));
