// The last page of a form: the selected option, its price, the fields, and alternative options.
import type {ComputeOption} from '../../../contract/compute.ts';
import {alternativesTo} from '../../../query/alternatives.ts';
import {countriesIn, geoAreaNamed} from '../../../query/geo-areas.ts';
import {jobTimeOf} from '../../../query/job-time.ts';
import {offerOf} from '../../../query/offers.ts';
import {computeIdOf, gpuModel} from '../../../query/option.ts';
import {searchKeysOf} from '../../../query/search-keys.ts';
import {knownText, numberText} from '../../../text/known.ts';
import {moneyText, perHour, perHourAndDay, priceText} from '../../../text/money.ts';
import {label} from '../../../text/safe.ts';
import {cellWidth, cut, fit} from '../../../text/width/width.ts';
import {wrap} from '../../../text/width/wrap.ts';
import {callDetailsHint, keyHint, keyRows} from '../../core/components/key-hint.ts';
import {asking} from '../../core/components/remote-line.ts';
import {keyFor} from '../../core/keys/live-keys.ts';
import {glyph} from '../../core/theme/glyphs.ts';
import {paint} from '../../core/theme/theme.ts';
import type {FormKnowledge} from './errors.ts';
import type {CreateForm, FormField} from './form.ts';
import {limitNote} from './lines.ts';

/** Widths of a field's name, and of its value before a note, in cells. */
const NAME = 14;
const VALUE = 24;

export type CardOptions = {
	readonly form: CreateForm;
	readonly errors: Partial<Record<FormField, string>>;
	readonly known: Pick<FormKnowledge, 'servers' | 'environments' | 'compute'>;
	/** Rate per hour of the server's previous option; undefined for a new server. */
	readonly before: number | undefined;
	/** Width of a line, in cells. */
	readonly width: number;
};

/** Actions that put an alternative into the form, in the order of the card. */
export const ALTERNATIVES = ['first', 'second', 'third'] as const;
const keysFor = (others: readonly ComputeOption[]): readonly string[] =>
	ALTERNATIVES.slice(0, others.length).map(each => keyFor(`review.${each}`));

/** Options that the actions of `ALTERNATIVES` put into the form. */
export const alternativesIn = (
	form: Pick<CreateForm, 'compute' | 'regions'>,
	options: readonly ComputeOption[] | undefined,
): readonly ComputeOption[] => {
	const offer = offerOf(form.compute, options);
	return offer === undefined ? [] : alternativesTo(offer, options ?? [], form.regions);
};

const sizeOf = ({cpus, memory}: ComputeOption): string =>
	`${numberText(cpus)} ${cpus === 1 ? 'CPU' : 'CPUs'} · ${label(knownText(memory), 12)}`;

const placesOf = (offer: ComputeOption): string => {
	const open = [...searchKeysOf(offer).open];
	if (offer.availability.length === 0) return 'regions unknown';
	if (open.length === 0) return 'sold out';
	const [region = ''] = open;
	const countries = countriesIn(open).map(each => label(each, 24));
	const code = open.length === 1 && countries[0] !== region ? ` (${label(region, 24)})` : '';
	return `available in ${countries.join(', ')}${code}`;
};

const summaryLines = ({form, known, before, width}: CardOptions): readonly string[] => {
	const offer = offerOf(form.compute, known.compute);
	if (offer === undefined)
		return [
			paint('own', cut(label(form.compute, 400), width)),
			known.compute === undefined
				? paint('dim', asking('the service', 'what it costs'))
				: paint('busy', 'The catalogue does not say what it costs.'),
		];
	const gpu =
		offer.num_gpus === 0
			? label(offer.name, 60)
			: `${numberText(offer.num_gpus)} × ${label(gpuModel(offer), 40)}`;
	const price = perHourAndDay(offer.hourly_price);
	const machine = cut(`${gpu}   ${label(knownText(offer.cloud_host), 30)}`, width - cellWidth(price) - 2);
	const isSame = before === undefined || priceText(before) === priceText(offer.hourly_price);
	return [
		`${fit(machine, width - cellWidth(price))}${paint('own', price)}`,
		cut(`${sizeOf(offer)} · ${placesOf(offer)}`, width),
		...(isSame ? [] : [paint('busy', cut(`${perHour(before)} before`, width))]),
	];
};

const fieldLine = (key: string, name: string, value: string, note: string, width: number): string =>
	fit(`${paint('accent', key)} ${paint('dim', name.padEnd(NAME))}${fit(value, VALUE)} ${note}`, width);

/** Rows of the fields. Only a job in a queue has a time limit. */
const fieldLines = ({form, errors, known, width}: CardOptions): readonly string[] => {
	const offer = offerOf(form.compute, known.compute);
	const environment = known.environments?.find(each => each.environment_id === form.environment);
	const noteOf = (field: FormField, otherwise: string): string => {
		const error = errors[field];
		return error === undefined ? otherwise : paint('bad', label(error, 200));
	};
	const row = (field: FormField, name: string, note: string): string =>
		fieldLine(keyFor(`review.${field}`), name, label(form[field], 400), noteOf(field, note), width);
	return [
		...(form.server === null
			? [row('name', 'Name', known.servers === undefined ? '' : paint('good', `${glyph.yes} available`))]
			: []),
		row('environment', 'Environment', paint('dim', label(environment?.name ?? '', 40))),
		row(
			'compute',
			'Compute',
			offer && computeIdOf(offer).guessed ? paint('busy', 'assumed ID; check it') : '',
		),
		row('port', 'Port', ''),
		...(jobTimeOf(form.compute, known.compute) === undefined
			? []
			: [row('time', 'Time limit', paint('dim', limitNote(form, known.compute)))]),
	];
};

const insteadLines = ({form, known, width}: CardOptions): readonly string[] => {
	const others = alternativesIn(form, known.compute);
	if (others.length === 0) return [];
	const keys = keysFor(others);
	return [
		'',
		paint('dim', 'Instead'),
		...others.map((each, at) =>
			fit(
				`${paint('accent', keys[at] ?? '')}  ${fit(moneyText(priceText(each.hourly_price)), 9)} ${fit(label(knownText(each.cloud_host), 30), 14)} ${fit(label(countriesIn([...searchKeysOf(each).open]).join(' '), 60), 14)} ${sizeOf(each)}`,
				width,
			),
		),
	];
};

const takeBackLines = ({dropped}: CreateForm): readonly string[] =>
	dropped === undefined ? [] : ['', keyHint('review.takeBack', `restore ${label(dropped.name, 40)}`)];

/** Warning for users who filtered by region. The service's API does not accept a region. */
const regionLines = ({form: {regions}, width}: CardOptions): readonly string[] => {
	if (regions.length === 0) return [];
	const names = regions.map(region => label(geoAreaNamed(region)?.title ?? region, 24)).join(' or ');
	return [
		'',
		...wrap(`! You filtered ${names}; the service picks the region.`, width).map(line => paint('busy', line)),
	];
};

const doing = ({sending, server, confirmed}: CreateForm): string | null => {
	switch (confirmed === undefined ? sending : 'checking') {
		case 'looking':
			return 'the response was lost: checking whether it took effect …';
		case 'checking':
			return 'checking that it is still available …';
		case 'asking':
			return server === null ? 'creating …' : 'starting …';
		case null:
			return null;
	}
};

/** Label of the key that spends money: `Rent at $4.82/h`, `Start for free`. */
const verbOf = ({form, known}: CardOptions): string => {
	const verb = form.server === null ? 'Rent' : 'Start';
	const offer = offerOf(form.compute, known.compute);
	if (offer === undefined) return verb;
	return offer.hourly_price === 0 ? `${verb} for free` : `${verb} at ${perHour(offer.hourly_price)}`;
};

const lastLines = (options: CardOptions): readonly string[] => {
	const {form, known, width} = options;
	const wait = doing(form);
	if (wait !== null) return [paint('busy', wait)];
	const keys = keysFor(alternativesIn(form, known.compute));
	const instead = keys.length === 0 ? '' : `   ${paint('accent', keys.join(' '))} instead`;
	const rows = keyRows(width, ['review.rent', verbOf(options)], ['review.cancel', 'back']);
	const [first = ''] = rows;
	return rows.length === 1 && cellWidth(first) + cellWidth(instead) <= width
		? [`${first}${instead}`]
		: [...rows, ...(instead === '' ? [] : [instead.trimStart()])];
};

/** The card as rows of at most `width` cells. */
export const cardLines = (options: CardOptions): readonly string[] => {
	const {form, width} = options;
	const said = (text: string, role: 'bad' | 'busy'): readonly string[] => [
		'',
		...wrap(label(text, 800), width).map(line => paint(role, line)),
	];
	return [
		'',
		...summaryLines(options),
		'',
		...fieldLines(options),
		...takeBackLines(form),
		...insteadLines(options),
		...regionLines(options),
		...(form.hint === null ? [] : said(form.hint, 'busy')),
		...(form.refusal === null ? [] : said(form.refusal, 'bad')),
		...(form.refusal === null || form.failure === undefined
			? []
			: [callDetailsHint(form.failure, 'always.evidence')]),
		'',
		...lastLines(options),
	];
};

/** Title of the card and of the pages with its fields. */
export const cardTitle = ({title, isRequoted, server, name}: CreateForm): string =>
	isRequoted
		? 'Price changed since quoted'
		: (title ?? (server === null ? 'Rent a server' : `Start ${label(name, 40)}?`));
