import type {FileEntry} from '../../contract/files.ts';
import {tableFileKind} from '../../tables/read-table-file.ts';
import {pythonOfFile} from '../../text/table/python.ts';
import {tableOfUtf8} from '../../text/table/text-format.ts';
import {tableOfFile} from './content.ts';

/**
 * Code of a cell that reads the whole file into the data frame `data` and shows it. `file` is the
 * loaded content, perhaps only its start; it decides the separator and the encoding. Null if the
 * file is not a table with one certain way to read it.
 */
export const frameCode = (path: string, file: FileEntry | undefined): string | null => {
	const kind = tableFileKind(path);
	const lines =
		kind === 'parquet' || kind === 'arrow' || kind === 'npy'
			? pythonOfFile(path, kind)
			: (kind === 'gz'
					? tableOfUtf8(path, '')
					: (kind === null && file && tableOfFile(file)) || null
				)?.python?.();
	return lines === undefined ? null : ['import pandas', ...lines, 'data'].join('\n');
};
