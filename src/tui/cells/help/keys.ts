import type {KeyHandlers, ScopeHandlers} from '../../core/feature.ts';
import {pagedDocumentation} from './documentation.ts';
import {menuPage} from './menu-rows.ts';
import {codeHelp} from './ask.ts';

const completions: KeyHandlers<'completions'> = at => {
	const {completions: menu} = at.get();
	const page = menu === null ? 1 : menuPage(menu, menu.field.room(at.get(), at.rect));
	return {
		accept: codeHelp(at.get).acceptCompletion,
		next: () => codeHelp(at.get).moveInCompletions(1),
		previous: () => codeHelp(at.get).moveInCompletions(-1),
		pageUp: () => codeHelp(at.get).moveInCompletions(-Math.max(2, page)),
		pageDown: () => codeHelp(at.get).moveInCompletions(Math.max(2, page)),
		close: codeHelp(at.get).closeCompletions,
	};
};

const documentation: KeyHandlers<'documentation'> = at => {
	const turn = (pages: number): void => {
		const {documentation: shown} = at.get();
		if (shown !== null)
			codeHelp(at.get).showDocumentation(
				pagedDocumentation(shown, pages, at.rect.width, shown.field.room(at.get(), at.rect)),
			);
	};
	return {
		pageUp: () => turn(-1),
		pageDown: () => turn(1),
		close: () => codeHelp(at.get).showDocumentation(null),
	};
};

/** Keys of completions and documentation, in the REPL and in notebooks. */
export const helpHandlers = {completions, documentation} satisfies ScopeHandlers;
