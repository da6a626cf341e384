// Describes interactive widgets as text: the value and kind of each.
import {isRecord} from '../record.ts';
import type {WidgetModel} from './widget.ts';

type Fields = WidgetModel['state'];

/** Maximum number of list items that are named. */
const MOST_ITEMS = 8;

/** A value of a widget's state as text. */
export const textOf = (value: unknown): string =>
	value === null || value === undefined
		? ''
		: Array.isArray(value)
			? value.map(textOf).join(', ')
			: isRecord(value)
				? dateText(value)
				: String(value);

/** Date as the state of a date picker contains it. */
const dateText = (value: Fields): string => {
	const {year, month, date} = value;
	const two = (number: unknown): string => String(number).padStart(2, '0');
	return typeof year === 'number' && typeof month === 'number'
		? `${year}-${two(month + 1)}-${two(date)}`
		: JSON.stringify(value);
};

export const numberOf = (value: unknown): number | null =>
	typeof value === 'number' && Number.isFinite(value) ? value : null;

const labelsOf = ({_options_labels: labels}: Fields): readonly string[] =>
	Array.isArray(labels) ? labels.map(textOf) : [];

const listText = (labels: readonly string[]): string =>
	labels.length === 0
		? 'empty list'
		: `of ${labels.slice(0, MOST_ITEMS).join(', ')}${labels.length > MOST_ITEMS ? ` and ${labels.length - MOST_ITEMS} more` : ''}`;

const chosenOf = (state: Fields): string => {
	const labels = labelsOf(state);
	const {index, value} = state;
	const of = (at: unknown): string => (typeof at === 'number' ? (labels[at] ?? '') : '');
	const chosen = Array.isArray(index)
		? index.map(of).join(', ')
		: index === undefined
			? textOf(value)
			: of(index);
	return chosen === '' ? 'nothing chosen' : chosen;
};

const rangeText = ({min, max}: Fields): string =>
	numberOf(min) === null || numberOf(max) === null ? '' : ` ${textOf(min)} to ${textOf(max)}`;

type Control = {readonly name: RegExp; readonly text: (state: Fields) => string};

/** Interactive widgets, each as its value and kind. */
const CONTROLS: readonly Control[] = [
	{
		name: /RangeSliderModel$/,
		text: state => `${textOf(state['value']).replace(', ', ' to ')} (range slider${rangeText(state)})`,
	},
	{
		name: /^Selection(?:Range)?SliderModel$/,
		text: state => `${chosenOf(state)} (slider ${listText(labelsOf(state))})`,
	},
	{name: /SliderModel$/, text: state => `${textOf(state['value'])} (slider${rangeText(state)})`},
	{
		name: /^(?:Bounded)?(?:Int|Float)TextModel$/,
		text: state => `${textOf(state['value'])} (number field${rangeText(state)})`,
	},
	{name: /^PlayModel$/, text: state => `${textOf(state['value'])} (player${rangeText(state)})`},
	{name: /^PasswordModel$/, text: state => `${state['value'] === '' ? 'empty' : 'hidden'} (password field)`},
	{name: /^TextModel$/, text: state => `${textOf(state['value']) || 'empty'} (text field)`},
	{name: /^TextareaModel$/, text: state => `${textOf(state['value']) || 'empty'} (text field)`},
	{name: /^ComboboxModel$/, text: state => `${textOf(state['value']) || 'empty'} (text field)`},
	{name: /^CheckboxModel$/, text: state => `[${state['value'] === true ? 'x' : ' '}] (checkbox)`},
	{name: /^ToggleButtonModel$/, text: state => `${state['value'] === true ? 'on' : 'off'} (toggle button)`},
	{name: /^SelectMultipleModel$/, text: state => `${chosenOf(state)} (choices ${listText(labelsOf(state))})`},
	{
		name: /^(?:Dropdown|RadioButtons|Select|ToggleButtons)Model$/,
		text: state => `${chosenOf(state)} (choice ${listText(labelsOf(state))})`,
	},
	{
		name: /^(?:DatePicker|TimePicker|(?:Naive)?DatetimePicker)Model$/,
		text: state => `${textOf(state['value']) || 'none'} (picker)`,
	},
	{name: /^ColorPickerModel$/, text: state => `${textOf(state['value']) || 'none'} (colour picker)`},
	{
		name: /^TagsInputModel$|^ColorsInputModel$|sInputModel$/,
		text: state => `${textOf(state['value']) || 'empty'} (list field)`,
	},
	{name: /^FileUploadModel$/, text: () => '(file upload)'},
];

/** Value and kind of a control. Null if the kind of widget is unknown. */
export const controlText = ({name, state}: WidgetModel): string | null =>
	CONTROLS.find(each => each.name.test(name))?.text(state) ?? null;
