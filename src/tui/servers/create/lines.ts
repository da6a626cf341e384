import {offerOf, priceOf} from '../../../query/offers.ts';
import {computeIdOf} from '../../../query/option.ts';
import {fieldsOf, isSelected, type CreateForm, type FormField} from './form.ts';
import {choiceAt, type Choice} from './choices.ts';
import {moneyText, perHour, priceText} from '../../../text/money.ts';
import {jobTimeOf} from '../../../query/job-time.ts';
import {limitText} from '../../../text/job-time.ts';
import {label} from '../../../text/safe.ts';
import {cellWidth, cut} from '../../../text/width/width.ts';
import {wrap} from '../../../text/width/wrap.ts';
import {callDetailsHint} from '../../core/components/key-hint.ts';
import {lineField} from '../../core/components/line-field.ts';
import {positionText} from '../../core/components/position.ts';
import {glyph} from '../../core/theme/glyphs.ts';
import {asking} from '../../core/components/remote-line.ts';
import {paint} from '../../core/theme/theme.ts';
import {choiceLines} from './choice-lines.ts';
import {shownError, type FormKnowledge} from './errors.ts';

type Options = {
	readonly form: CreateForm;
	readonly errors: Partial<Record<FormField, string>>;
	readonly known: Pick<FormKnowledge, 'environments' | 'compute'>;
	/** Rate per hour of the server's previous option; undefined for a new server. */
	readonly before: number | undefined;
	readonly choices: readonly Choice[];
	/** Size inside the box, in cells and rows. */
	readonly width: number;
	readonly height: number;
};

/** Width of the labels before the fields, in cells. */
export const HEAD = 14;
const LABELS: Readonly<Record<FormField, string>> = {
	name: 'name',
	environment: 'environment',
	compute: 'compute',
	time: 'time limit',
	port: 'port',
};

/** Hint on the longest time of a job, for example `gpu allows up to 8 h`. */
export const limitHint = (form: CreateForm, compute: FormKnowledge['compute']): string => {
	const job = jobTimeOf(form.compute, compute);
	if (job === undefined) return '';
	const partition = label(job.partition, 40);
	return job.limit === null
		? `such as 30m, 8h or 2d; ${partition} names no limit`
		: `such as 30m or 8h; ${partition} allows up to ${limitText(job.limit)}`;
};

/** Short form of {@link limitHint} for the card. */
export const limitNote = (form: CreateForm, compute: FormKnowledge['compute']): string => {
	const job = jobTimeOf(form.compute, compute);
	if (job === undefined || job.limit === null) return 'such as 30m, 8h or 2d';
	return `up to ${limitText(job.limit)} in ${label(job.partition, 40)}`;
};

/** Fewest rows of a list below the fields. If fewer are left, the fields take less space. */
const LEAST_OF_LIST = 5;

const asRate = (rate: number): string => `${perHour(rate)}`;

/** For example `+2.39` or `-0.10`; null if both rates are equal. */
const difference = (rate: number, before: number): string | null => {
	const text = priceText(Math.round((rate - before) * 1e4) / 1e4);
	return Number(text) === 0 ? null : `${rate > before ? '+' : ''}${text}`;
};

const rateText = ({form, known, before}: Options): {readonly text: string; readonly change: string} => {
	const rate = priceOf(form.compute, known.compute);
	if (rate === undefined) return {text: `${glyph.none} (the catalogue does not say)`, change: ''};
	const more = before === undefined ? null : difference(rate, before);
	return {
		text: asRate(rate),
		change:
			more === null || before === undefined
				? ''
				: `${moneyText(more)}/h: ${asRate(rate)} instead of ${asRate(before)}`,
	};
};

export type FormLines = {
	readonly lines: readonly string[];
	/** Width of a field's value in cells. */
	readonly room: number;
	/** Position in the list below the fields. */
	readonly position: string;
	/** Cell of the cursor inside the box. */
	readonly cursor: {readonly x: number; readonly y: number};
};

/** The fields of a form as rows, the last one empty. */
export const formLines = (options: Options): FormLines => {
	const {form, errors, known, choices, width, height} = options;
	const room = width - HEAD - 1;
	const isList = form.at === 'environment' || form.at === 'compute';
	const all = ['name', ...fieldsOf(form, known.compute).filter(field => field !== 'name')] as const;
	const {text: rate, change} = rateText(options);
	const valueOf = (field: FormField): string => {
		// This field is drawn by ink-text-input.
		if (field === form.at && field === 'port') return '';
		if (field === form.at)
			return isSelected(form)
				? paint('selected', lineField(form.editor, room).text.trimEnd())
				: lineField(form.editor, room).text;
		if (field === 'time' && form.time === '')
			return paint('dim', form.server === null ? 'the usual one' : 'as before');
		if (field !== 'compute') return cut(label(form[field], 400), room);
		const words = `${paint('dim', '  ')}${rate}${change === '' ? '' : paint('busy', ` ${change.split(':')[0] ?? ''}`)}`;
		return `${cut(label(form.compute, 400), Math.max(10, room - cellWidth(words)))}${words}`;
	};
	const saidBelow = (field: FormField): string => {
		const error = shownError(form, field, errors);
		if (error !== undefined) return paint('bad', label(error, 400));
		if (field === 'time') return paint('dim', limitHint(form, known.compute));
		if (field !== 'compute') return '';
		if (form.hint !== null) return paint('busy', label(form.hint, 400));
		const offer = offerOf(form.compute, known.compute);
		return form.at === 'compute' && offer && computeIdOf(offer).guessed
			? paint('dim', '? a guessed id: edit it if the service has another')
			: '';
	};
	const rowsOf = (field: FormField, isTight: boolean): readonly string[] => {
		const below = saidBelow(field);
		return [
			`${form.at === field ? paint('accent', glyph.cursor) : ' '} ${paint(form.at === field ? 'own' : 'dim', LABELS[field].padEnd(HEAD - 2))}${valueOf(field)}`,
			...(below === '' ? (isTight ? [] : ['']) : wrap(below, room + 1).map(line => ' '.repeat(HEAD) + line)),
		];
	};
	const refusal =
		form.refusal === null
			? []
			: [
					'',
					...wrap(label(form.refusal, 800), width - 4).map(line => `  ${paint('bad', line)}`),
					...(form.failure === undefined ? [] : [`  ${callDetailsHint(form.failure, 'always.evidence')}`]),
				];
	const needed = refusal.length + (isList ? Math.min(LEAST_OF_LIST, choices.length + 1) : 0);
	const {shown, isTight} = (
		[
			{shown: all, isTight: false},
			{shown: all, isTight: true},
		] as const
	).find(each => 1 + each.shown.flatMap(field => rowsOf(field, each.isTight)).length + needed <= height) ?? {
		shown: all.filter(field => field === form.at),
		isTight: false,
	};
	const fields = shown.flatMap(field => rowsOf(field, isTight));
	const top = ['', ...fields];
	const rest = height - top.length;
	const end = isList
		? choiceLines(
				choices,
				choiceAt(form, choices),
				form.at === 'compute',
				width,
				rest - refusal.length,
			).concat(choices.length === 0 ? [paint('dim', `  ${emptyText(options)}`)] : [], refusal)
		: refusal;
	const shownLines = [...top, ...end];
	const lines = [...shownLines, ...(shownLines.at(-1) === '' ? [] : [''])].slice(0, height);
	const above = shown
		.slice(
			0,
			shown.findIndex(field => field === form.at),
		)
		.flatMap(field => rowsOf(field, isTight));
	const position = isList ? positionText(choiceAt(form, choices), choices.length) : '';
	return {lines, room, position, cursor: {x: HEAD + lineField(form.editor, room).x, y: 1 + above.length}};
};

const emptyText = ({form, known}: Options): string => {
	const list = form.at === 'environment' ? known.environments : known.compute;
	return list === undefined ? `${asking()} What you type is used as is.` : 'Nothing in the list matches.';
};
