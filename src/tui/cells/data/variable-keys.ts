import {createEditor, insert} from '../../../text/editor/editor.ts';
import {editingKeys} from '../../core/components/editor-keys.ts';
import {onOneLine} from '../../core/components/line-field.ts';
import {movements} from '../../core/components/scroll.ts';
import type {KeyContext} from '../../core/feature.ts';
import {actionOn, actionsOf, refused, type KeyScopes} from '../../core/keys/action.ts';
import {filtered, line, list} from '../../core/keys/binding-sets.ts';
import {clipboard} from '../../core/store/clipboard.ts';
import {route} from '../../core/store/route.ts';
import {kernelData} from './kernel-data.ts';
import {variableRoom} from './variable-lines.ts';
import {cursorAt, kernelVariables, shownVariables} from './variables.ts';

const moves = ({get, rect}: KeyContext) => {
	const found = get().variableList;
	return movements(
		() => {
			const now = get().variableList;
			return now === null ? 0 : cursorAt(now);
		},
		found === null ? 0 : shownVariables(found).length,
		variableRoom(rect.height),
		at => {
			const now = get().variableList;
			const row = now && shownVariables(now)[at];
			if (row) kernelVariables(get).changeVariables({cursor: row.name, at});
		},
	);
};

const onVariable = actionOn(({get}: KeyContext) => {
	const found = get().variableList;
	const variable = found && shownVariables(found)[cursorAt(found)];
	return found && variable ? {list: found, variable} : refused('There is no variable under the cursor');
});

const draftOf = ({get}: KeyContext) => get().variableList?.filter ?? createEditor();

export const variableKeys: KeyScopes = {
	variables: {
		where: 'variables of a kernel',
		isDialog: true,
		actions: {
			...actionsOf(list, moves),
			open: onVariable({
				keys: ['enter', 't'],
				label: 'open',
				hint: true,
				run: ({list: {server, document}, variable}, {get}) =>
					kernelData(get).openVariable(
						server,
						document,
						variable.name,
						kernelVariables(get).refreshVariables,
					),
			}),
			filter: {
				...filtered.filter,
				now: ({get}) => (get().variableList?.rows?.length ? undefined : null),
				run: ({get}) => route(get).changeDialog({kind: 'variables', isFiltering: true}),
			},
			showAll: {
				...filtered.showAll,
				run(at) {
					if (draftOf(at).text === '') return 'No filter is set: all variables are shown';
					kernelVariables(at.get).changeVariables({filter: createEditor()});
				},
			},
			copy: onVariable({
				keys: ['y'],
				label: 'Copy the name',
				run: ({variable}, {get}) => clipboard(get).copy(variable.name, 'The name'),
			}),
			reload: {
				keys: ['R'],
				was: ['r'],
				label: 'Reload the variables',
				run: ({get}) => kernelVariables(get).refreshVariables(),
			},
			remove: onVariable({
				keys: ['ctrl+x d'],
				label: 'delete',
				hint: true,
				writes: true,
				run: ({list: {server, document}, variable: {name, mark}}, {get}) =>
					route(get).openDialog({kind: 'delete-variable', server, document, name, mark}),
			}),
			close: {keys: ['esc', 'q'], label: 'close', run: ({get}) => kernelVariables(get).closeVariables()},
		},
	},
	/** The filter field of the variables, opened by `/`. */
	variablesFilter: {
		where: 'filter of the variables',
		isText: true,
		isDialog: true,
		actions: {
			accept: {
				keys: ['enter', 'tab'],
				label: 'to the rows',
				hint: true,
				run: ({get}) => route(get).changeDialog({kind: 'variables'}),
			},
			up: {keys: ['up'], label: 'Move up', run: at => moves(at).up()},
			down: {keys: ['down'], label: 'Move down', run: at => moves(at).down()},
			...actionsOf(line, at =>
				editingKeys({
					draft: () => draftOf(at),
					set: filter => kernelVariables(at.get).changeVariables({filter}),
				}),
			),
			leave: {
				keys: ['esc'],
				label: 'clear the filter',
				run({get}) {
					route(get).changeDialog({kind: 'variables'});
					kernelVariables(get).changeVariables({filter: createEditor()});
				},
			},
		},
		typed: (at, text) =>
			kernelVariables(at.get).changeVariables({filter: insert(draftOf(at), onOneLine(text))}),
	},
};
