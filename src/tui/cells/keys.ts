import type {KeyContext} from '../core/feature.ts';
import type {KeyScopes} from '../core/keys/action.ts';
import {codeHelp} from './help/ask.ts';
import {pagedDocumentation} from './help/documentation.ts';
import {menuPage} from './help/menu-rows.ts';
import {variableKeys} from './data/variable-keys.ts';
import {kernelKeys} from './kernels/kernels-dialog.tsx';

const pageInMenu = ({get, rect}: KeyContext, direction: 1 | -1): void => {
	const {completions: menu} = get();
	const page = menu === null ? 1 : menuPage(menu, menu.field.room(get(), rect));
	codeHelp(get).moveInCompletions(direction * Math.max(2, page));
};

const turnPage = ({get, rect}: KeyContext, pages: number): void => {
	const {documentation: shown} = get();
	if (shown !== null)
		codeHelp(get).showDocumentation(
			pagedDocumentation(shown, pages, rect.width, shown.field.room(get(), rect)),
		);
};

export const cellsKeys: KeyScopes = {
	/**
	 * Completion menu of the prompt or of a notebook's cell. All other keys and text go to the
	 * editor.
	 */
	completions: {
		where: 'completion menu',
		name: 'Completions',
		isText: true,
		isPassing: true,
		actions: {
			accept: {keys: ['enter'], label: 'take', hint: true, run: ({get}) => codeHelp(get).acceptCompletion()},
			next: {
				keys: ['tab', 'down'],
				label: 'next',
				hint: true,
				run: ({get}) => codeHelp(get).moveInCompletions(1),
			},
			previous: {
				keys: ['shift+tab', 'up'],
				label: 'previous',
				hint: true,
				run: ({get}) => codeHelp(get).moveInCompletions(-1),
			},
			pageUp: {keys: ['pageup'], label: 'Page up', run: at => pageInMenu(at, -1)},
			pageDown: {keys: ['pagedown'], label: 'Page down', run: at => pageInMenu(at, 1)},
			close: {keys: ['esc'], label: 'close the menu', run: ({get}) => codeHelp(get).closeCompletions()},
		},
	},
	documentation: {
		where: 'documentation beside the code',
		name: 'Documentation',
		isText: true,
		isPassing: true,
		actions: {
			pageDown: {keys: ['pagedown'], label: 'read on', hint: true, run: at => turnPage(at, 1)},
			pageUp: {keys: ['pageup'], label: 'Page up', run: at => turnPage(at, -1)},
			close: {
				keys: ['esc'],
				label: 'close the documentation',
				run: ({get}) => codeHelp(get).showDocumentation(null),
			},
		},
	},
	kernels: kernelKeys,
	...variableKeys,
};
