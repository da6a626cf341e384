import type {KeyHandlers, ScopeHandlers} from '../../core/room.ts';
import {turned} from './documentation.ts';
import {menuPage} from './menu-rows.ts';

const completions: KeyHandlers<'completions'> = at => {
	const {completions: menu, moveInCompletions, acceptCompletion, closeCompletions} = at.get();
	const page = menu === null ? 1 : menuPage(menu, menu.field.room(at.get(), at.rect));
	return {
		accept: acceptCompletion,
		next: () => moveInCompletions(1),
		previous: () => moveInCompletions(-1),
		pageUp: () => moveInCompletions(-Math.max(2, page)),
		pageDown: () => moveInCompletions(Math.max(2, page)),
		close: closeCompletions,
	};
};

const documentation: KeyHandlers<'documentation'> = at => {
	const turn = (pages: number): void => {
		const {documentation: shown, showDocumentation} = at.get();
		if (shown !== null)
			showDocumentation(turned(shown, pages, at.rect.width, shown.field.room(at.get(), at.rect)));
	};
	return {pageUp: () => turn(-1), pageDown: () => turn(1), close: () => at.get().showDocumentation(null)};
};

/** Keys of what stands beside typed code, in the REPL or elsewhere. */
export const helpHandlers = {completions, documentation} satisfies ScopeHandlers;
