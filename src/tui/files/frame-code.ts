import type {FileEntry} from '../../contract/files.ts';
import {tableFileKind} from '../../tables/read-table-file.ts';
import {pythonOfFile} from '../../text/table/python.ts';
import {tableOfUtf8} from '../../text/table/text-format.ts';
import {tableOfFile} from './content.ts';

/**
 * Cell that reads a whole file as the frame `data` and shows it. `file`: its content as far as it
 * is here, which decides on separator and encoding. Null if no table is read in one way only.
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
