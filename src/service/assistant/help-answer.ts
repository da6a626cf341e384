import type {About} from './about.ts';
import {code, paragraphs} from './markdown.ts';
import type {Tree} from './server-files.ts';

export const INTRODUCTION =
	'I am the built-in reference assistant, not a language model. I answer from what I can look up on this server.';

const examples = (tree: Tree): readonly string[] => {
	const files = tree.entries.filter(entry => entry.type === 'file' && !entry.name.startsWith('.'));
	const picked = [/\.py$/, /\.csv$/, /\.ipynb$/, /\.md$/].flatMap(
		ending => files.find(entry => ending.test(entry.name)) ?? [],
	);
	return (picked.length > 0 ? picked : files).slice(0, 3).map(entry => code(`what is in ${entry.path}`));
};

export const capabilitiesText = (tree: Tree, about: About): string => {
	const error = about.lastError();
	return paragraphs(
		'I can look up:',
		[
			`- documentation of a Python name: ${code('what is json.loads')}, ${code('help str.split')}`,
			`- the last error${error === null ? ' (none known so far)' : ` (now ${code(error.ename)})`}: ${code('explain the last error')}`,
			`- the files: ${[code('list the files'), ...examples(tree)].join(', ')}`,
			`- the packages: ${code('which packages are installed')}`,
		].join('\n'),
	);
};
