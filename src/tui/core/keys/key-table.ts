// The table of keys as text, for `svc-tui help keys` and src/docs/keys.md.
import {chordText} from '../../../text/key-name.ts';
import type {Row, Rows} from './action.ts';
import {editing, line, list, reading, type Binding} from './binding-sets.ts';
import type {Scope} from '../program.ts';
import {keymap, scopesOfAll} from './keymap.ts';
import {bindingsOf, type KeyRules} from './live-keys.ts';

const shown = (key: string): string =>
	chordText(
		key
			.split(' ')
			.map(each =>
				each.replaceAll(
					/(^|\+)(\w)(?=\w)/g,
					(_, before: string, letter: string) => before + letter.toUpperCase(),
				),
			),
	);

/**
 * Rows that several scopes share. They are listed once, for all scopes that contain every one of
 * them.
 */
const SHARED: readonly {readonly where: string; readonly rows: Rows}[] = [
	{where: 'in every list', rows: list},
	{where: 'in every text', rows: reading},
	{where: 'in every field', rows: line},
	{where: 'typing code or a question', rows: editing},
];

const idOf = ({keys, label}: Row): string => `${keys.join(' ')} ${label}`;

type Rebound = KeyRules['rebound'];
type Group = {readonly where: string; readonly scopes: readonly Scope[]; readonly rows: readonly Binding[]};

const groups = (rebound: Rebound = {}): readonly Group[] => {
	const listed = new Set<string>();
	const rowsOf = (scope: Scope): readonly Binding[] => bindingsOf({rebound}, scope);
	const isListed = (scope: Scope, row: Binding): boolean => listed.has(`${scope} ${row.action}`);
	const shared = SHARED.map(({where, rows: common}) => {
		const scopes = scopesOfAll().filter(scope =>
			Object.values(common).every(row => keymap[scope].rows.some(each => idOf(each) === idOf(row))),
		);
		// A shared row is omitted here if one of the scopes has other keys for it; that scope then
		// lists the row.
		const rows = rowsOf(scopes[0] ?? 'always').filter(
			row =>
				Object.hasOwn(common, row.action) &&
				scopes.every(scope => rowsOf(scope).some(other => idOf(other) === idOf(row))),
		);
		const fresh = rows.filter(row => !scopes.every(scope => isListed(scope, row)));
		for (const row of rows) for (const scope of scopes) listed.add(`${scope} ${row.action}`);
		return {where, scopes, rows: fresh};
	});
	const own = scopesOfAll().map(scope => ({
		where: keymap[scope].where,
		scopes: [scope],
		rows: rowsOf(scope).filter(row => !isListed(scope, row)),
	}));
	return [...shared, ...own].filter(({rows}) => rows.length > 0);
};

/** The table for src/docs. */
export const markdownKeys = (): string =>
	groups()
		.map(
			({where, rows}) =>
				`- **${where}**: ${rows.map(({keys, label}) => `${keys.map(key => `\`${shown(key)}\``).join(' ')} ${label}`).join(' · ')}`,
		)
		.join('\n');

const KEYS_WIDTH = 32;
const ACTION_WIDTH = 26;

const HEAD = `Current keys, with your settings applied. To change the keys of an action, name it in settings.json:
  "keys": {"servers.start": ["s", "ctrl+t"]}
SCOPE is any of the names after it in the title of the group: "tree.pageUp".
`;

/**
 * The table for a terminal: group by group, one line for each action, with its name in the
 * settings.
 */
export const keyTable = (rebound: Rebound = {}): string =>
	[
		HEAD,
		...groups(rebound).map(
			({where, scopes, rows}) =>
				[
					`${where}${scopes.length > 1 ? ` (SCOPE: ${scopes.join(', ')})` : ''}:`,
					...rows.map(({action, keys, label}) => {
						const isYours = scopes.some(scope => Object.hasOwn(rebound, `${scope}.${action}`));
						return `  ${(keys.length === 0 ? '-' : keys.map(shown).join(', ')).padEnd(KEYS_WIDTH)}  ${`${scopes.length > 1 ? 'SCOPE' : scopes[0]}.${action}`.padEnd(ACTION_WIDTH)}  ${label}${isYours ? ' (your keys)' : ''}`;
					}),
				].join('\n') + '\n',
		),
	]
		.join('\n')
		.trimEnd();
