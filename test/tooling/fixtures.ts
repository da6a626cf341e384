import {readdirSync, readFileSync} from 'node:fs';
import {join, relative} from 'node:path';

/** Findings announced in the `// breaks: ` lines of each file of a fixture tree, sorted. */
export const expectedFindings = (root: string): ReadonlyMap<string, readonly string[]> => {
	const files = readdirSync(root, {recursive: true, withFileTypes: true})
		.filter(entry => entry.isFile() && /\.tsx?$/.test(entry.name))
		.map(entry => join(entry.parentPath, entry.name));
	return new Map(
		files.map(
			file =>
				[
					relative(root, file),
					readFileSync(file, 'utf8')
						.split('\n')
						.filter(line => line.startsWith('// breaks: '))
						.map(line => line.slice('// breaks: '.length))
						.toSorted(),
				] as const,
		),
	);
};
