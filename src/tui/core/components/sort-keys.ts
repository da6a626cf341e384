import {type ListName, type Sort, listViews} from '../store/lists.ts';
import type {State} from '../program.ts';
import {actionsOf} from '../keys/action.ts';
import {sorted} from '../keys/binding-sets.ts';
import {keyFor} from '../keys/live-keys.ts';

/** Actions that sort a list by its columns and by its default order, in both directions. */
export const sortActions = (list: ListName, columnsOf: (state: State) => readonly string[]) =>
	actionsOf(sorted, ({get}) => {
		const columns = columnsOf(get());
		const sort = (): Sort | null => get().lists[list].sort;
		const go = (by: number) => (): string => {
			const at = columns.indexOf(sort()?.key ?? '') + 1;
			const key = columns[((at + by + columns.length + 1) % (columns.length + 1)) - 1];
			listViews(get).changeList(list, {
				sort: key === undefined ? null : {key, direction: sort()?.direction ?? 'ascending'},
			});
			return key === undefined ? "In the service's order" : `Sorted by ${key}`;
		};
		return {
			sortNext: go(1),
			sortPrevious: go(-1),
			turnSort() {
				const now = sort();
				if (now === null) return `Sort by a column first: ${keyFor(`${list}.sortNext`)} chooses one`;
				listViews(get).changeList(list, {
					sort: {...now, direction: now.direction === 'ascending' ? 'descending' : 'ascending'},
				});
			},
		};
	});
