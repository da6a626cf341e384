import {openFile} from '../../tables/open-file.ts';
import {label} from '../../text/safe.ts';
import {DETECTED} from '../../text/table/text-format.ts';
import type {State} from '../core/program.ts';
import {keyFor} from '../core/keys/live-keys.ts';
import {notices} from '../core/store/notices.ts';
import {route} from '../core/store/route.ts';
import {tableViewer} from './tables.ts';

/**
 * Opens a file as a table over the whole screen. `name`: the table or sheet to open. If it is null
 * and the file has several, the user is asked.
 */
export const openTableFile = (
	get: () => State,
	path: string,
	bytes: Uint8Array,
	name: string | null = null,
): void =>
	tableViewer(get).openTableLater(name === null ? path : `${path}, ${label(name, 60)}`, async ({signal}) => {
		const found = await openFile(path, bytes, {name, choice: DETECTED}, signal);
		if (typeof found === 'string') return found;
		if ('row' in found) {
			const total = found.whole?.rows ?? 0;
			if (total > found.count)
				notices(get).notify(
					'info',
					`${found.count.toLocaleString('en')} of ${total.toLocaleString('en')} rows are read: ${keyFor('viewer.frame')} on the file reads all in the REPL`,
				);
			return found;
		}
		return () => route(get).openDialog({kind: 'tables-of-file', path, names: found, bytes});
	});
