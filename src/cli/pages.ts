import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {paths} from '../machine/paths.ts';
import {pageText} from './page-text.ts';

/**
 * Default width if the width of the terminal is unknown. Also the largest width, because longer
 * lines are hard to read. In cells.
 */
const WIDTH = 100;
const NARROWEST = 40;

/** Replaces the default paths in a page by the paths of this machine. */
const withPlaces = (text: string): string => {
	const {config, data, state, cache} = paths();
	return text
		.replaceAll('~/.config/svc-tui', config)
		.replaceAll('~/.local/share/svc-tui', data)
		.replaceAll('~/.local/state/svc-tui', state)
		.replaceAll('~/.cache/svc-tui', cache);
};

/** Page of `src/docs` for a terminal. `root`: folder of package.json. */
export const showPage = async (root: string, name: string, columns: number): Promise<string> => {
	const page = await readFile(join(root, 'src/docs', `${name}.md`), 'utf8');
	return pageText(withPlaces(page), Math.max(NARROWEST, Math.min(columns, WIDTH)));
};
