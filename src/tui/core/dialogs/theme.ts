import type {App} from '../app.ts';
import {THEMES, type Theme} from '../../../settings/profile.ts';
import {fuzzyFilter} from '../../../text/editor/fuzzy.ts';
import type {State} from '../program.ts';
import type {LineCommand} from '../feature.ts';
import {glyph} from '../theme/glyphs.ts';
import {chooser} from './chooser.tsx';
import {control} from '../store/session.ts';
import {route} from '../store/route.ts';

const NOTES: Readonly<Record<Theme, string>> = {
	terminal: "the terminal's own 16 colours",
	dark: 'for a dark background',
	light: 'for a light background',
	'high-contrast': 'no colours',
};

/** The themes; the screen behind previews the highlighted one. */
export const themes = chooser({kind: 'theme', isPreview: true}, ({get}) => ({
	title: 'Theme',
	width: 64,
	enterLabel: 'use',
	alignsNotes: true,
	startsAt: get().theme,
	empty: 'No theme has that name.',
	choicesFor: typed =>
		fuzzyFilter(typed, THEMES, name => name).map(name => ({
			text: `${name === get().theme ? glyph.chosen : glyph.notChosen} ${name}`,
			id: name,
			note: NOTES[name],
			choose: () => control(get).chooseTheme(name),
		})),
}));

const themeShown = ({dialogs, theme}: State): Theme => {
	const dialog = dialogs.at(-1);
	const highlighted = dialog?.kind === 'theme' ? dialog.choosing?.id : undefined;
	return THEMES.find(each => each === highlighted) ?? theme;
};

/** Draws with the highlighted theme until the picker is closed, by a choice or without one. */
export const showTheme = (app: App): void => {
	app.subscribe(state => {
		const theme = themeShown(state);
		if (theme !== state.look.theme) control(app).changeLook({theme});
	});
};

export const themeCommand: LineCommand = {
	name: 'theme',
	argument: '[name]',
	does: 'Choose the colours',
	suggest: () => THEMES,
	run({get}, argument) {
		if (argument === '') return route(get).openDialog({kind: 'theme'});
		const theme = THEMES.find(each => each === argument);
		return theme === undefined ? `The themes are ${THEMES.join(', ')}` : control(get).chooseTheme(theme);
	},
};
