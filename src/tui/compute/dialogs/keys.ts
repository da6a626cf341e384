// Keys of the catalogue's dialogs.
import type {ComputeOption} from '../../../contract/compute.ts';
import {regionsWanted} from '../../../query/geo-areas.ts';
import {mayBeAvailable} from '../../../query/offers.ts';
import {label} from '../../../text/safe.ts';
import {
	actionOn,
	actionsOf,
	refused,
	type Action,
	type KeyScopes,
	type Refusal,
} from '../../core/keys/action.ts';
import {reading} from '../../core/keys/binding-sets.ts';
import {keyFor} from '../../core/keys/live-keys.ts';
import {createServer} from '../../core/ports.ts';
import {route, topDialog} from '../../core/store/route.ts';
import {scrollChanges} from './changes-dialog.tsx';
import {comparedOption, hasColumnBeside, moveColumn, scrollComparison, toggleRegions} from './compare.tsx';

/** Returns the row, or a refusal if its option is not available in any region. */
export const orRefused = <Row extends {readonly option: ComputeOption}>(row: Row): Row | Refusal =>
	mayBeAvailable(row.option)
		? row
		: refused(
				`${label(row.option.name)} is not available now: ${keyFor('compute.watch')} watches for it, ${keyFor('compute.available')} shows available options`,
			);

const besideAction = (row: Pick<Action, 'keys' | 'label'>, step: 1 | -1): Action => ({
	...row,
	hint: true,
	// Hidden if there is no further column on that side.
	now: at => (hasColumnBeside(at, step) ? undefined : null),
	run: at => moveColumn(at, step),
});

export const dialogKeys: KeyScopes = {
	compareOptions: {
		where: 'comparing compute options',
		isDialog: true,
		actions: {
			...actionsOf(reading, scrollComparison),
			rent: actionOn(({get}) => {
				const option = comparedOption(get);
				return option === undefined
					? refused('The marked options are no longer offered')
					: orRefused({option});
			})({
				keys: ['enter'],
				label: 'rent it',
				hint: true,
				writes: true,
				run({option}, {get}) {
					route(get).closeDialog();
					createServer(get, {option, regions: regionsWanted(get().computeFilter)});
				},
			}),
			left: besideAction({keys: ['h', 'left'], label: 'previous column'}, -1),
			right: besideAction({keys: ['l', 'right'], label: 'next column'}, 1),
			regions: {
				keys: ['r'],
				label: 'all regions',
				hint: true,
				now: ({get}) => (topDialog(get(), 'compare')?.all === true ? 'countries' : undefined),
				run: toggleRegions,
			},
			close: {keys: ['esc', 'q'], label: 'close', run: ({get}) => route(get).closeDialog()},
		},
	},
	changes: {
		where: 'changes of the catalogue',
		isDialog: true,
		actions: {
			...actionsOf(reading, scrollChanges),
			close: {keys: ['esc', 'q', 'enter'], label: 'close', run: ({get}) => route(get).closeDialog()},
		},
	},
};
