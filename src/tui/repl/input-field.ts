import {insert, type Editor} from '../../text/editor/editor.ts';
import {editingKeys} from '../core/components/editor-keys.ts';
import {onOneLine} from '../core/components/line-field.ts';
import type {KeyHandlers} from '../core/feature.ts';
import {scrollCells, type CellPosition} from './cell-position.ts';
import {replOf} from './transcript.ts';
import {withoutEnd} from '../../text/ends.ts';
import {replSession} from './session.ts';
import {route} from '../core/store/route.ts';

/** Handlers of the field that answers a cell's `input()`. */
export const inputKeys = (place: CellPosition): ReturnType<KeyHandlers<'answer'>> => {
	const {get, server} = place;
	const field = (): Editor => replOf(get(), server).asks?.field ?? replOf(get(), server).draft;
	const set = (next: Editor): void => {
		const {asks} = replOf(get(), server);
		if (asks !== null) replSession(get).changeRepl(server, {asks: {...asks, field: next}});
	};
	return {
		...editingKeys({draft: field, set}),
		answer: () => replSession(get).answerCell(server),
		scrollUp: () => scrollCells(place).pageUp(),
		scrollDown: () => scrollCells(place).pageDown(),
		read: () => route(get).focusPart('repl', 'cells'),
		interrupt: () => void replSession(get).stopCell(server),
		// A line end after pasted text would become a space of the password.
		typed: text => set(insert(field(), onOneLine(withoutEnd(text, '\r\n')))),
	};
};
