import {createEditor, insert, type Editor} from '../../text/editor/editor.ts';
import {clampTop, scrollToOffset} from '../../text/columns/viewport.ts';
import {editingKeys} from '../core/components/editor-keys.ts';
import {onOneLine} from '../core/components/line-field.ts';
import {keyFor} from '../core/keys/live-keys.ts';
import {NO_MATCH} from './viewer/finder.ts';
import {NOT_YET, type Access} from './viewer/viewer-notebook-keys.ts';
import type {Shown} from './viewer/shown.ts';
import {type Viewer, fileViewer} from './viewer/open-file.ts';

/** Search keys of the viewer, and the handlers of its search field. */
export const findKeys = ({get, server, withText, change}: Access, shown: () => Shown) => {
	const viewer = (): Viewer | undefined => get().viewers.get(server);
	/** Scrolls to a match. */
	const show = async (found: Promise<number | null>): Promise<void> => {
		const offset = await found;
		if (offset === null) return;
		withText((sheet, window, now) =>
			change({...scrollToOffset(sheet, now.top, offset, window), line: sheet.index.lineAt(offset)}),
		)();
	};
	const notFound = (): string =>
		(shown()?.rest ?? null) !== null
			? 'Not found so far: the rest of the notebook is still being formatted'
			: shown()?.isPart
				? 'No match in the part shown as a table'
				: 'This text is not in the file';
	const another = (step: 1 | -1) => (): string | void => {
		const find = viewer()?.find;
		if (!find || find.field.text === '')
			return `Nothing to search for yet: ${keyFor('viewer.find')} starts a search`;
		if (find.complete && find.count === 0) return notFound();
		void show(fileViewer(get).findAnother(server, step));
	};
	const look = (words: string): void =>
		void withText((sheet, window, now) => {
			const from = clampTop(sheet, now.find?.origin?.top ?? now.top, window);
			void show(fileViewer(get).findWords(server, sheet.index, words, sheet.index.start(from.line)));
		})();
	const field = (): Editor => viewer()?.find?.field ?? createEditor();
	const set = (next: Editor): void => {
		const find = viewer()?.find;
		if (!find) return;
		change({find: {...find, field: next}});
		if (next.text !== find.field.text) look(next.text);
	};
	return {
		/**
		 * Opens the search field even before the text has arrived: the keys that follow are typed
		 * into the field.
		 */
		begin(): string | void {
			const now = viewer();
			if (now === undefined) return NOT_YET;
			let origin = now.find?.origin ?? null;
			withText((sheet, window) => {
				origin = {top: clampTop(sheet, now.top, window), left: now.left};
			})();
			change({find: {field: createEditor(), ...NO_MATCH, ...now.find, origin, typing: true}});
		},
		/** Repeats the search when a new text has arrived. */
		lookAgain() {
			const words = field().text;
			if (words !== '') look(words);
		},
		nextMatch: another(1),
		previousMatch: another(-1),
		field: {
			...editingKeys({draft: field, set}),
			accept() {
				const find = viewer()?.find;
				change({find: find && find.field.text !== '' ? {...find, typing: false} : null});
				if (find?.complete && find.count === 0 && find.field.text !== '') return notFound();
			},
			nextMatch: another(1),
			previousMatch: another(-1),
			leave() {
				const origin = viewer()?.find?.origin;
				fileViewer(get).stopFinding(server);
				if (origin) change(origin);
			},
			typed: (text: string) => set(insert(field(), onOneLine(text))),
		},
	};
};
