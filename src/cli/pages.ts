import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {paths} from '../machine/paths.ts';
import {pageText} from './page-text.ts';

/** Where the terminal's width is not known, and the most that is comfortable to read. */
const WIDTH = 100;
const NARROWEST = 40;

/** The places that pages name, as they are here. */
const withPlaces = (text: string): string => {
	const {config, data, state, cache} = paths();
	return text
		.replaceAll('~/.config/svc-tui', config)
		.replaceAll('~/.local/share/svc-tui', data)
		.replaceAll('~/.local/state/svc-tui', state)
		.replaceAll('~/.cache/svc-tui', cache);
};

/** A page of `src/docs` for a terminal. `root`: the folder of package.json. */
export const showPage = async (root: string, name: string, columns: number): Promise<string> => {
	const page = await readFile(join(root, 'src/docs', `${name}.md`), 'utf8');
	return pageText(withPlaces(page), Math.max(NARROWEST, Math.min(columns, WIDTH)));
};
