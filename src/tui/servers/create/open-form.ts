// Functions for the keys of the create form, which is the topmost dialog.
import type {State} from '../../core/program.ts';
import type {KeyContext} from '../../core/feature.ts';
import type {Rect} from '../../core/frame/layout.ts';
import {topDialog, route} from '../../core/store/route.ts';
import {keyFor} from '../../core/keys/live-keys.ts';
import {losesText, newForm, type CreateForm} from './form.ts';
import {renting} from './submit.ts';

const ROWS = 24;
/** Maximum number of rows of a form's box. */
export const heightIn = (body: Rect): number => Math.min(ROWS, body.height - 2);

const NO_FORM = newForm();
/** The current form, not the drawn one, because several keys may arrive before the next frame. */
export const latest = (get: () => State): CreateForm => topDialog(get(), 'create')?.form ?? NO_FORM;
export const set = (get: () => State, form: CreateForm): void =>
	route(get).changeDialog({kind: 'create', form});

export const UNDER_WAY = 'The request has been sent; waiting for the response';

/** Closes the form and drops its text, so that the next form is empty. */
export const dropForm = (get: () => State): string | void => {
	const form = latest(get);
	renting(get).keepForm(null);
	if (losesText(form)) renting(get).noteDropped(form);
	route(get).closeDialog();
	if (losesText(form))
		return `Nothing was sent. For a minute, ${keyFor('review.takeBack')} in the next form restores this one`;
};

/** Null while the form is being sent, because its keys have no effect then. */
export const unlessSending = ({get}: KeyContext): null | undefined =>
	latest(get).sending === null ? undefined : null;
/** Label of a key, missing while the form is being sent. */
export const labelUnlessSending =
	(label: (form: CreateForm) => string | undefined) =>
	({get}: KeyContext): string | null | undefined =>
		latest(get).sending === null ? label(latest(get)) : null;
