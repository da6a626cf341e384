// Key groups that several dialogs or screens share. Each dialog or screen supplies its own effects.
import {dialogSpec, screenSpec} from '../features.ts';
import type {KeyContext, TextHandler} from '../program.ts';
import type {KeyScope} from './action.ts';
import {SHARED_ROWS, type Effect, type Shared} from './shared-rows.ts';

const shared = (scope: Shared, facts: Omit<KeyScope, 'actions' | 'typed'>): KeyScope => {
	const effectsAt = (at: KeyContext) => {
		const {dialogs, screen} = at.get();
		const dialog = dialogs.at(-1);
		const {handlers} = dialog ? dialogSpec(dialog) : screenSpec(screen);
		return handlers?.[scope]?.(at) as Readonly<Record<string, Effect>> | undefined;
	};
	return {
		...facts,
		actions: Object.fromEntries(
			Object.entries(SHARED_ROWS[scope]).map(([action, row]) => [
				action,
				{
					...row,
					now(at) {
						const effect = effectsAt(at)?.[action];
						return typeof effect === 'object' ? effect.now() : undefined;
					},
					run(at) {
						const effect = effectsAt(at)?.[action];
						return typeof effect === 'object' ? effect.run() : effect?.();
					},
				},
			]),
		),
		...(facts.isText && {
			typed: (at, ...text) => (effectsAt(at) as {readonly typed?: TextHandler}).typed?.(...text),
		}),
	};
};

/** Keys of the filter field (`/`) of a list. */
export const filter = shared('filter', {where: 'a filter', name: 'Filter', isText: true, isPassing: true});
export const confirm = shared('confirm', {where: 'a question', isDialog: true});
/** Keys of a dialog with text to read. */
export const reader = shared('reader', {where: 'details', isDialog: true});
export const told = shared('told', {where: 'notice', isDialog: true});
/**
 * Keys of a field with a list of matches, as in the palette, the command line, the help and the
 * messages.
 */
export const chooser = shared('chooser', {
	where: 'palette, command line, help',
	isText: true,
	isDialog: true,
});
