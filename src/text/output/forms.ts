// Chooses which media type of an output to show in the terminal.
import {readHtml, type HtmlPart} from './html-text.ts';
import {joinMultiline} from './multiline.ts';
import {widgetOf, WIDGET_VIEW, type ShownWidget} from './widget.ts';
import {libraryForm, otherForm, type ViewerForm} from './viewer-forms.ts';

/** Data of an output by media type. */
export type Bundle = Readonly<Record<string, unknown>>;

/** `used`: media types that this form represents, so that they are not shown separately. */
export type Form = {readonly used: readonly string[]} & (
	| {readonly kind: 'text' | 'markdown' | 'latex'; readonly text: string}
	| {readonly kind: 'html'; readonly parts: readonly HtmlPart[]}
	| {readonly kind: 'json'; readonly value: unknown}
	| {readonly kind: 'widget'; readonly widget: Exclude<ShownWidget, null>}
	/**
	 * Content that only another program can draw. `text`: the object's own text if it says more
	 * than the type.
	 */
	| {readonly kind: 'viewer'; readonly what: string; readonly how: string; readonly text: string}
	| {readonly kind: 'none'}
);

const PLAIN = 'text/plain';
const NAME = /^<[^\n]*(?: object| at 0x[\da-f]+)>$|^<Figure size [^\n<>]*>$/i;

/** True for Python's default name of an object, such as `<Figure size 640x480 with 1 Axes>`. */
export const isBareName = (text: string): boolean => {
	const trimmed = text.length > 1000 ? text : text.trim();
	return trimmed.length <= 1000 && NAME.test(trimmed);
};

const JSON_TYPES = /^application\/(?:(?:geo|ld|schema|hal)\+)?json$/;

const parsed = new WeakMap<object, readonly HtmlPart[]>();

/** Parsed HTML of an output's data. Cached. */
export const htmlOf = (data: Bundle): readonly HtmlPart[] => {
	const parts = parsed.get(data) ?? readHtml(joinMultiline(data['text/html']));
	parsed.set(data, parts);
	return parts;
};

/** Form of a value that has no useful plain text. Null if none of its media types can be read. */
const richForm = (data: Bundle): Form | null => {
	const used = (type: string): readonly string[] => [type, PLAIN];
	const markdown = joinMultiline(data['text/markdown']);
	if (markdown.trim() !== '') return {kind: 'markdown', text: markdown, used: used('text/markdown')};
	const html = htmlOf(data);
	if (html.length > 0) return {kind: 'html', parts: html, used: used('text/html')};
	const latex = joinMultiline(data['text/latex']);
	if (latex.trim() !== '') return {kind: 'latex', text: latex, used: used('text/latex')};
	const json = Object.keys(data).find(type => JSON_TYPES.test(type));
	if (json !== undefined) return {kind: 'json', value: data[json], used: used(json)};
	const text = Object.keys(data).find(
		type => /^text\/(?!plain$|html$|javascript$)/.test(type) && joinMultiline(data[type]).trim() !== '',
	);
	return text === undefined ? null : {kind: 'text', text: joinMultiline(data[text]), used: used(text)};
};

/**
 * True if all types of the value are blank text, which progress bars send in order to disappear.
 */
const isBlank = (data: Bundle): boolean => {
	const types = Object.keys(data).filter(type => type !== PLAIN);
	return (
		types.length > 0 && types.every(type => /^text\//.test(type) && joinMultiline(data[type]).trim() === '')
	);
};

/**
 * Form in which the terminal shows a value. It is the value's plain text, unless that is only an
 * object name and another media type says more. If only a browser can show the value, the form
 * describes it and says how to see it. `hasPicture`: a picture of the value is drawn next to the
 * form.
 */
export const formOf = (data: Bundle, {hasPicture = false}: {readonly hasPicture?: boolean} = {}): Form => {
	const text = joinMultiline(data[PLAIN]);
	const isBare = isBareName(text);
	const asViewer = ({what, how, used, keepsText}: ViewerForm): Form => ({
		kind: 'viewer',
		what,
		how,
		used,
		text: keepsText && !isBare ? text : '',
	});
	const widget = widgetOf(data);
	// A closed widget is not shown.
	if (widget === null) return {kind: 'none', used: Object.keys(data)};
	if (widget !== undefined) return {kind: 'widget', widget, used: [WIDGET_VIEW, PLAIN, 'text/html']};
	const library = hasPicture ? null : libraryForm(data);
	if (library !== null) return asViewer(library);
	if (text !== '' && !isBare) return {kind: 'text', text, used: [PLAIN]};
	if (hasPicture && isBare) return {kind: 'none', used: [PLAIN]};
	const rich = richForm(data);
	if (rich !== null) return rich;
	if (isBare && isBlank(data)) return {kind: 'none', used: Object.keys(data)};
	const other = hasPicture ? null : otherForm(data);
	if (other !== null) return asViewer(other);
	return text === '' ? {kind: 'none', used: []} : {kind: 'text', text, used: [PLAIN]};
};
