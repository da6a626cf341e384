import {insert, type Editor} from '../../text/editor/editor.ts';
import {withoutEnd} from '../../text/ends.ts';
import {editingKeys} from '../core/components/editor-keys.ts';
import {onOneLine} from '../core/components/line-field.ts';
import type {KeyContext} from '../core/feature.ts';
import {actionsOf, type KeyScope} from '../core/keys/action.ts';
import {line} from '../core/keys/binding-sets.ts';
import {route} from '../core/store/route.ts';
import {scrollCells} from './cell-position.ts';
import {placeOf} from './layout.ts';
import {replSession} from './session.ts';
import {replOf} from './transcript.ts';

const serverIn = ({get}: KeyContext): string => get().current ?? '';
const scroll = (at: KeyContext) => scrollCells(placeOf(at.get, serverIn(at), at.rect));
const fieldOf = (at: KeyContext) => {
	const {get} = at;
	const server = serverIn(at);
	return {
		draft: (): Editor => replOf(get(), server).asks?.field ?? replOf(get(), server).draft,
		set(next: Editor): void {
			const {asks} = replOf(get(), server);
			if (asks !== null) replSession(get).changeRepl(server, {asks: {...asks, field: next}});
		},
	};
};

/** Keys of the field for a cell's input(). */
export const inputKeys: KeyScope = {
	where: 'REPL, answering input()',
	name: 'REPL, answering',
	isText: true,
	isPassing: true,
	actions: {
		answer: {
			keys: ['enter'],
			label: 'answer',
			hint: true,
			writes: true,
			run: at => replSession(at.get).answerCell(serverIn(at)),
		},
		...actionsOf(line, at => editingKeys(fieldOf(at))),
		scrollUp: {keys: ['pageup'], label: 'Scroll back', run: at => scroll(at).pageUp()},
		scrollDown: {keys: ['pagedown'], label: 'Scroll forward', run: at => scroll(at).pageDown()},
		read: {
			keys: ['ctrl+x ['],
			label: 'read the cells',
			hint: true,
			run: ({get}) => route(get).focusPart('repl', 'cells'),
		},
		interrupt: {
			keys: ['esc'],
			label: 'interrupt the cell',
			also: 'stop',
			run: at => void replSession(at.get).stopCell(serverIn(at)),
		},
	},
	typed(at, text) {
		const {draft, set} = fieldOf(at);
		// Otherwise the line break after a pasted password would become a space at its end.
		set(insert(draft(), onOneLine(withoutEnd(text, '\r\n'))));
	},
};
