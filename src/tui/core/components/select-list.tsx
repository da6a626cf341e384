import {Box} from 'ink';
import SelectInput from 'ink-select-input';
import {KEY, OwnInputProvider, useOwnInput, type OwnInput} from '../keys/own-input.tsx';
import {glyph} from '../theme/glyphs.ts';
import {paint} from '../theme/theme.ts';
import {fit} from '../../../text/width/width.ts';
import {Row} from './rows.tsx';

/** A choice of a few; `lines` are its rows. */
export type ListItem<V extends string> = {readonly value: V; readonly lines: readonly string[]};

const GUTTER = '   ';

const Indicator = ({isSelected = false}: {readonly isSelected?: boolean}) => (
	<Row text={isSelected ? ` ${paint('accent', glyph.cursor)} ` : GUTTER} />
);

const Item = ({label}: {readonly label: string}) => (
	<Box flexDirection="column">
		{label.split('\n').map((line, index) => (
			// The indicator is one row high: beside the others the screen below would show through.
			<Box key={index} marginLeft={index === 0 ? 0 : -GUTTER.length}>
				<Row text={index === 0 ? line : GUTTER + line} />
			</Box>
		))}
	</Box>
);

/** A short list by ink-select-input, in a dialog of so many cells inside. Its keys come from the key table, by `keys`. */
export const SelectList = <V extends string>({
	list: {input},
	items,
	at,
	width,
	onHighlight,
	onSelect,
}: {
	readonly list: SelectKeys;
	readonly items: readonly ListItem<V>[];
	/** What is marked at first. */
	readonly at: V;
	readonly width: number;
	readonly onHighlight?: (value: V) => void;
	readonly onSelect: (value: V) => void;
}) => (
	<OwnInputProvider input={input}>
		<SelectInput
			items={items.map(({value, lines}) => ({
				value,
				label: lines.map(line => `${fit(line, width - 2)} `).join('\n'),
			}))}
			initialIndex={items.findIndex(({value}) => value === at)}
			indicatorComponent={Indicator}
			itemComponent={Item}
			onHighlight={({value}) => onHighlight?.(value)}
			onSelect={({value}) => onSelect(value)}
		/>
	</OwnInputProvider>
);

export type SelectKeys = {
	readonly input: OwnInput;
	readonly up: () => void;
	readonly down: () => void;
	readonly accept: () => void;
};

/** The keys of a `SelectList`, for the handlers of a scope. */
export const useSelectKeys = (): SelectKeys => {
	const input = useOwnInput();
	return {
		input,
		up: () => input.press(KEY.up),
		down: () => input.press(KEY.down),
		accept: () => input.press(KEY.enter),
	};
};
