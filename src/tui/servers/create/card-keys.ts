import {fittingEnvironment} from './host-environment.ts';
import {jobTimeOf} from '../../../query/job-time.ts';
import {priceOf} from '../../../query/offers.ts';
import {computeIdOf} from '../../../query/option.ts';
import type {KeyContext} from '../../core/feature.ts';
import type {KeyScope} from '../../core/keys/action.ts';
import {keyFor} from '../../core/keys/live-keys.ts';
import type {State} from '../../core/program.ts';
import {notices} from '../../core/store/notices.ts';
import {ALTERNATIVES, alternativesIn} from './card.ts';
import {formErrors, knowledge} from './errors.ts';
import {fieldsOf, movedTo, type FormField} from './form.ts';
import {formKeys} from './form-keys.ts';
import {dropForm, labelUnlessSending, latest, set, UNDER_WAY, unlessSending} from './open-form.ts';
import {renting} from './submit.ts';

/** Characters of names. The card ignores other typed characters. */
const NAME_TEXT = /^[\p{L}\p{N}._-]+$/u;

/** Moves focus from the card to a field, from which Enter returns to the card. */
const toField = (get: () => State, field: FormField): string | void => {
	const form = latest(get);
	if (form.sending !== null) return UNDER_WAY;
	if (!fieldsOf(form, get().compute.value?.items).includes(field)) return 'A server keeps its name';
	set(get, {...movedTo(form, field), returns: true});
};

/** Types text into the name field, also while the card has focus. */
const typeName = (at: KeyContext, text: string, isPasted = false): string | void => {
	const form = latest(at.get);
	const word = `${begunWord(at) ?? ''}${text}`;
	if (form.server !== null || form.sending !== null) {
		if (form.confirmed === undefined) return;
		set(at.get, {...form, confirmed: undefined});
		return 'Nothing was sent: another key followed at once';
	}
	toField(at.get, 'name');
	formKeys.typed?.(at, word, isPasted);
	if (word !== text) return 'Nothing was sent: what you type is the name';
};

/**
 * Text of the press of the rent key, if the current key shows that this press was the start of a
 * typed name; else undefined. The rent key is a letter, so both are possible.
 */
const begunWord = ({get, pressed}: KeyContext): string | undefined => {
	const {confirmed, early} = latest(get);
	if (pressed === undefined || !NAME_TEXT.test(pressed.text)) return undefined;
	return confirmed?.text ?? (pressed.isAhead ? early : undefined);
};

/** Runs the effect of a key of the card, unless the key continues a typed name. */
const unlessWord =
	(run: (at: KeyContext) => string | void) =>
	(at: KeyContext): string | void =>
		begunWord(at) === undefined ? run(at) : typeName(at, at.pressed?.text ?? '');

/** Puts an alternative of the card into the form. */
const replaceOption = (get: () => State, at: number): string | void => {
	const form = latest(get);
	const option = alternativesIn(form, get().compute.value?.items)[at];
	if (option === undefined) return 'There is no such alternative';
	const {id} = computeIdOf(option);
	const environment = fittingEnvironment(form.environment, id, knowledge(get()));
	set(get, {
		...form,
		environment,
		compute: id,
		hint: null,
		refusal: null,
		isRequoted: false,
		confirmed: undefined,
	});
};

const field = (key: string, name: FormField, label: string) =>
	({
		keys: [key],
		label,
		now: unlessSending,
		run: unlessWord(({get}: KeyContext) => toField(get, name)),
	}) as const;

const isJob = (get: () => State): boolean =>
	jobTimeOf(latest(get).compute, get().compute.value?.items) !== undefined;

const alternative = (name: (typeof ALTERNATIVES)[number]) => {
	const at = ALTERNATIVES.indexOf(name);
	return {
		keys: [String(at + 1)],
		label: `Take alternative ${at + 1} instead`,
		now: unlessSending,
		run: unlessWord(({get}: KeyContext) => replaceOption(get, at)),
	} as const;
};

/**
 * Rents, if the price was on screen when the user pressed the key. The request waits a moment,
 * because a letter typed during that time shows that the key was part of a word. A start of an
 * existing server without a price needs neither check, because the user types no name and spends
 * nothing. Its key may be typed ahead.
 */
const rent = ({get, pressed}: KeyContext): string | void => {
	const form = latest(get);
	if (form.sending !== null) return UNDER_WAY;
	if (form.confirmed !== undefined) return;
	const found = formErrors(form, knowledge(get()));
	const wrong = fieldsOf(form, get().compute.value?.items).find(each => found[each] !== undefined);
	if (wrong !== undefined) {
		set(get, {...movedTo(form, wrong), seen: new Set([...form.seen, wrong]), returns: true});
		return found[wrong];
	}
	const isFreeStart = form.server !== null && !((priceOf(form.compute, get().compute.value?.items) ?? 0) > 0);
	if (pressed?.isAhead === true && !isFreeStart) {
		set(get, {...form, early: pressed.text});
		return `Nothing was sent: the price was not on screen yet. ${explained(get)}`;
	}
	if (pressed !== undefined && !isFreeStart) set(get, {...form, confirmed: {text: pressed.text}});
	void renting(get).rent();
};

const explained = (get: () => State): string =>
	`${keyFor('review.rent')} ${latest(get).server === null ? 'rents' : 'starts'} it`;

/** Keys of the card at the end of a form. Enter never spends money. */
export const reviewKeys: KeyScope = {
	where: 'end of a form',
	isDialog: true,
	actions: {
		rent: {
			keys: ['y'],
			label: 'rent',
			hint: true,
			now: labelUnlessSending(({server}) => (server === null ? undefined : 'start')),
			run: rent,
		},
		name: field('n', 'name', 'Change the name'),
		environment: field('e', 'environment', 'Change the environment'),
		compute: field('c', 'compute', 'Change the compute option'),
		port: field('p', 'port', 'Change the port'),
		time: {
			...field('t', 'time', 'Change the time limit of a job'),
			now: at => (isJob(at.get) ? unlessSending(at) : null),
			run: at => {
				if (begunWord(at) === undefined && isJob(at.get)) return toField(at.get, 'time');
				if (at.pressed === undefined) return 'Only a job in a queue has a time limit';
				return typeName(at, at.pressed.text);
			},
		},
		first: alternative('first'),
		second: alternative('second'),
		third: alternative('third'),
		takeBack: {
			keys: ['u'],
			label: 'restore',
			hint: true,
			now: at => (latest(at.get).dropped === undefined ? null : unlessSending(at)),
			run: unlessWord(at => {
				const {dropped} = latest(at.get);
				if (dropped === undefined) return typeName(at, at.pressed?.text ?? '');
				set(at.get, movedTo({...dropped, hint: null}, 'review'));
				renting(at.get).noteDropped(null);
			}),
		},
		explain: {
			keys: ['enter'],
			label: 'Show which key rents',
			now: unlessSending,
			run: ({get}) => explained(get),
		},
		cancel: {
			keys: ['esc'],
			label: 'back',
			hint: true,
			// The user may leave the form while a start is in progress.
			now: at => (latest(at.get).server === null ? unlessSending(at) : undefined),
			run: ({get}) => dropForm(get),
		},
	},
	typed(at, text, isPasted = false) {
		if (!isPasted && !NAME_TEXT.test(text)) return;
		const reason = typeName(at, text, isPasted);
		if (typeof reason === 'string') notices(at.get).notify('info', reason);
	},
};
