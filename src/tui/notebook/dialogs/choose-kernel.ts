import {fuzzyFilter} from '../../../text/editor/fuzzy.ts';
import {label} from '../../../text/safe.ts';
import {chooser} from '../../core/dialogs/chooser.tsx';
import {keyOf} from '../../files/content.ts';
import {kernelNameOf} from '../open-notebook.ts';
import {notebookKernels} from '../kernel.ts';

/** Asks which of the server's kernels runs a notebook's cells. */
export const chooseKernel = chooser({kind: 'notebook-kernel'}, ({get}, {file, specs, keys}) => {
	const open = get().notebooks.get(keyOf(file));
	const named = open ? kernelNameOf(open) : null;
	const isThere = specs.some(({name}) => name === named);
	const why =
		named === null
			? 'The notebook names no kernel'
			: isThere
				? 'Its cells will then run in a new kernel, with nothing defined yet'
				: `Its kernel ${label(named, 40)} is not on ${label(file.server, 40)}`;
	return {
		title: `Kernel of ${label(file.path, 50)}`,
		enterLabel: 'use',
		empty: 'There is no kernel of that name.',
		choicesFor: typed =>
			fuzzyFilter(typed, specs, ({name, displayName}) => `${displayName} ${name}`).map(spec => ({
				id: spec.name,
				text: spec.displayName,
				section: why,
				note: spec.name === named ? `${spec.name}, as now` : spec.name,
				choose: () => void notebookKernels(get).setNotebookKernel(file, spec, keys),
			})),
	};
});
