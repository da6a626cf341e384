import {fuzzyFilter} from '../../../text/editor/fuzzy.ts';
import {runningCell} from '../../cells/cell.ts';
import {isAsking} from '../../assistant/conversations.ts';
import {cellWidth, fit} from '../../../text/width/width.ts';
import type {State} from '../../core/program.ts';
import {glyph} from '../../core/theme/glyphs.ts';
import {chooser, type Choice} from '../../core/dialogs/chooser.tsx';
import {LIST_WIDTH} from '../../core/dialogs/dialog-box.tsx';
import {sshHosts} from '../hosts.ts';
import {profileAccess} from '../profiles.ts';

/** Number of running cells and of answers in progress, which a switch would stop. */
const running = (state: State): number =>
	[...state.repls.values()].filter(repl => runningCell(repl) !== undefined).length +
	[...state.conversations.values()].filter(isAsking).length;

type ProfileRow = NonNullable<State['profiles']>[number];

/** State of a profile. Only the current profile has a connection. */
const stateOf = ({readOnly, hasKey}: ProfileRow, isPresent: boolean, state: State): string => {
	const ready = state.servers.value?.items.filter(({status}) => status === 'ready').length;
	const words = [
		...(isPresent ? [ready === undefined ? 'current' : `${ready} ready`] : []),
		...(hasKey ? [] : ['no key yet: sign in']),
		...(readOnly ? ['read-only'] : []),
	];
	return words.length === 0
		? glyph.none
		: `${isPresent ? glyph.ready : hasKey ? glyph.other : glyph.no} ${words.join(', ')}`;
};

const GAP = '  ';
/** Most cells of the two columns, so that a box of 72 cells has room for an address. */
const LONGEST = {name: 20, state: 21};

/** Profiles of the settings. Enter switches to one. */
export const profileList = chooser({kind: 'profiles'}, ({get}) => {
	const {profiles, serviceName: present, isLocal} = get();
	const stops = running(get());
	const rows = (profiles ?? []).map(profile => ({
		...profile,
		state: stateOf(profile, profile.title === present, get()),
	}));
	const widthOf = (head: string, cells: readonly string[], most: number): number =>
		Math.min(most, Math.max(cellWidth(head), ...cells.map(cellWidth)));
	const titles = rows.map(({title}) => title);
	const states = rows.map(each => each.state);
	const name = widthOf('Profile', titles, LONGEST.name);
	const state = widthOf('State', states, LONGEST.state);
	const columns = (...[one, two, three]: readonly [string, string, string]): string =>
		[fit(one, name), fit(two, state), three].join(GAP);
	const choices: readonly Choice[] = [
		...rows.map(({title, host, hasKey, name: id, state: said}): Choice => {
			const isPresent = title === present;
			return {
				id: title,
				section: ` ${columns('Profile', 'State', 'Address')}`,
				text: columns(title, said, host),
				enterLabel: hasKey ? 'use' : 'sign in',
				choose: () =>
					!hasKey
						? profileAccess(get).openSignIn(title)
						: isPresent
							? `${title} is the current profile`
							: profileAccess(get).switchProfile(id),
			};
		}),
		{
			section: ' ',
			text: 'Sign in to a service',
			note: 'address and API key',
			enterLabel: 'sign in',
			choose: () => profileAccess(get).openSignIn(''),
		},
		...(isLocal
			? [
					{
						section: ' ',
						text: 'SSH hosts',
						note: 'compute options of your own',
						enterLabel: 'show',
						choose: () => sshHosts(get).openHosts(),
					},
				]
			: []),
	];
	return {
		title:
			stops === 0
				? 'Profiles'
				: `Profiles (switching stops ${stops === 1 ? 'a running cell or answer' : `${stops} running cells or answers`})`,
		width: LIST_WIDTH,
		cutsRows: true,
		empty: 'No profile matches.',
		startsAt: present,
		choicesFor: typed => fuzzyFilter(typed, choices, ({text}) => text),
	};
});
