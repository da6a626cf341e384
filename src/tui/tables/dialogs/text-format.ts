import {fuzzyFilter} from '../../../text/editor/fuzzy.ts';
import {
	DECIMAL_CHOICES,
	DETECTED,
	ENCODING_CHOICES,
	formatIn,
	QUOTE_CHOICES,
	SEPARATOR_CHOICES,
	type TextChoice,
} from '../../../text/table/text-format.ts';
import {chooser, LEAST_WIDTH, type Choice} from '../../core/dialogs/chooser.tsx';
import {tableViewer} from '../tables.ts';

/**
 * Lists separators, quotes, decimal marks and encodings. Enter reads the text again with the
 * selected setting.
 */
export const textFormat = chooser({kind: 'table-format'}, ({get}) => {
	const view = get().tableView;
	const format = view && formatIn(view.table);
	const choice = (text: string, next: TextChoice, isNow: boolean): Choice => ({
		text,
		note: isNow ? 'now' : '',
		choose() {
			if (view && format) tableViewer(get).openTableLater(view.name, async () => format.reopen(next));
		},
	});
	const choices =
		format === null
			? []
			: [
					choice('As detected', DETECTED, false),
					...(format.separator === null
						? []
						: SEPARATOR_CHOICES.map(([separator, name]) =>
								choice(`Separator: ${name}`, {...format.choice, separator}, separator === format.separator),
							)),
					...(format.quote === null
						? []
						: QUOTE_CHOICES.map(([quote, name]) =>
								choice(`Quotes: ${name}`, {...format.choice, quote}, quote === format.quote),
							)),
					...DECIMAL_CHOICES.map(([decimal, name]) =>
						choice(`Decimal mark: ${name}`, {...format.choice, decimal}, format.choice.decimal === decimal),
					),
					...ENCODING_CHOICES.map(([encoding, name]) =>
						choice(`Encoding: ${name}`, {...format.choice, encoding}, format.choice.encoding === encoding),
					),
				];
	return {
		title: 'Read this text with',
		width: LEAST_WIDTH,
		enterLabel: 'read',
		empty: 'Nothing matches.',
		choicesFor: typed => fuzzyFilter(typed, choices, ({text}) => text),
	};
});
