import {fuzzyFilter} from '../../../text/editor/fuzzy.ts';
import {label} from '../../../text/safe.ts';
import {chooser, LEAST_WIDTH, type Choice} from '../../core/dialogs/chooser.tsx';
import {openTableFile} from '../open-table-file.ts';

/** Lists the tables, views or sheets of a file. Enter opens the selected table. */
export const tablesOfFile = chooser({kind: 'tables-of-file'}, ({get}, {path, names, bytes}) => {
	const choices = names.map((name, at): Choice => ({
		text: label(name, 200),
		id: String(at),
		choose: () => openTableFile(get, path, bytes, name),
	}));
	return {
		title: `Tables of ${label(path, 50)}`,
		width: LEAST_WIDTH,
		enterLabel: 'open',
		cutsRows: true,
		empty: 'No table matches.',
		choicesFor: typed => fuzzyFilter(typed, choices, ({text}) => text),
	};
});
